import { expect, it } from "vitest";
import { storageKeyCandidate } from "../../../edge/storage/storage-key.ts";
import { hostileFolders, hostileNames } from "../../hostile/corpus/names.ts";
import { hostileRequests } from "../../hostile/corpus/requests.ts";
import { hostileUrls } from "../../hostile/corpus/urls.ts";
import { expectAsInCorpus } from "../../hostile/expect-as-in-corpus.ts";
import { readTables } from "../support/read-tables.ts";
import { createTestApi } from "../support/test-api.ts";

/** The requests that the service made: none, in all of these tests. */
const contacted: string[] = [];
const api = await createTestApi({
  fetch: (request) => {
    contacted.push(new Request(request).url);
    return Promise.resolve(new Response(null, { status: 599 }));
  },
});
const url = "https://media.example/a.mp4";
const error = async (path: string, json: object) => (await api.call("POST", path, { json })).body.error;

const urlSentences = { invalid: "Invalid URL", not_allowed: "URL not allowed" };
const bucket = { bucket: "media", access_key_id: "id", secret_access_key: "secret" };
/** Every field in which a client names a URL, and the message if it is rejected. */
const addressed = [
  ["a source", (named: string) => error("/jobs", { url: named }), urlSentences],
  [
    "an item of a bulk request",
    (named: string) => error("/jobs/bulk", { jobs: [{ url: named }] }),
    urlSentences,
  ],
  ["a webhook", (named: string) => error("/jobs", { url, webhook_url: named }), "Invalid webhook_url"],
  ["an endpoint", (endpoint: string) => error("/user/bucket", { ...bucket, endpoint }), "Invalid endpoint"],
] as const;

it.each(addressed)("no hostile URL in %s is accepted, contacted or stored", async (_, send, sentence) => {
  const before = await readTables(api.dependencies.database);
  const corpus = hostileUrls.map((row) => ({
    ...row,
    expected: typeof sentence === "string" ? sentence : sentence[row.expected],
  }));
  await expectAsInCorpus(corpus, send);
  expect(await readTables(api.dependencies.database)).toBe(before);
  expect(contacted).toEqual([]);
});

it("a hostile file name becomes harmless", async () => {
  const named = (filename: string) =>
    storageKeyCandidate(
      {
        folder: null,
        filename,
        title: null,
        jobId: "job-id",
        extension: "mp4",
        sidecarSuffixes: [],
        prefixBytes: 74,
      },
      1,
    );
  await expectAsInCorpus(hostileNames, named);
});

it("a hostile folder is rejected", async () => {
  await expectAsInCorpus(hostileFolders, (folder) => error("/jobs", { url, folder }));
});

it("a hostile request gets its published status, and changes nothing", async () => {
  const before = await readTables(api.dependencies.database);
  await expectAsInCorpus(hostileRequests, async ({ method, path, headers, body }) => {
    const { status } = await api.call(method, path, { headers, ...(body !== undefined && { body }) });
    return status;
  });
  expect(await readTables(api.dependencies.database)).toBe(before);
});
