import * as fc from "fast-check";
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { requestHash } from "../../../edge/idempotency/request-hash.ts";
import { deleteOldAnswers } from "../../../edge/idempotency/idempotency-key.store.ts";
import { countersOf } from "../support/test-account.ts";
import { createTestAccount, createTestApi, type TestApi } from "../support/test-api.ts";

const url = "https://media.example/a.mp4";
const dayMs = 24 * 60 * 60 * 1000;
const keyed = (key: string, json?: object) => ({
  headers: { "idempotency-key": key },
  ...(json !== undefined && { json }),
});
const createdBy = async (api: TestApi) =>
  (await countersOf(api.dependencies, api.account.id))?.["jobs_created"];

describe.each([
  ["POST /jobs", "/jobs", { url }, 1],
  ["POST /jobs/bulk", "/jobs/bulk", { jobs: [{ url }, { url }] }, 2],
] as const)("an idempotency key of %s", (_name, path, json, jobs) => {
  it("gives a repeated request its first response, marked as such, and creates nothing", async () => {
    const api = await createTestApi();
    const first = await api.call("POST", path, keyed("k", json));
    expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([200, null]);
    const again = await api.call("POST", path, keyed("k", json));
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    expect(again.body).toEqual(first.body);
    expect(await createdBy(api)).toBe(jobs);
  });

  it("of many simultaneous requests lets one create, and gives all the same response", async () => {
    const api = await createTestApi();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => api.call("POST", path, keyed("k", json))),
    );
    for (const { status, body } of answers) expect([status, body]).toEqual([200, answers[0]?.body]);
    const replayed = answers.filter(({ headers }) => headers.get("idempotent-replayed") === "true");
    expect(replayed).toHaveLength(11);
    expect(await createdBy(api)).toBe(jobs);
  });

  it("is rejected with another body, and stays valid for its own", async () => {
    const api = await createTestApi();
    const first = await api.call("POST", path, keyed("k", json));
    const other = await api.call("POST", path, keyed("k", { ...json, format: "mkv" }));
    expect([other.status, other.body.error, other.body.code]).toEqual([
      400,
      "Idempotency-Key was already used with a different request",
      "idempotency_key_reused",
    ]);
    expect((await api.call("POST", path, keyed("k", json))).body).toEqual(first.body);
    expect(await createdBy(api)).toBe(jobs);
  });

  it("stays unused if the response was an error", async () => {
    const api = await createTestApi();
    expect((await api.call("POST", path, keyed("k", { ...json, format: "avi" }))).status).toBe(400);
    const answer = await api.call("POST", path, keyed("k", json));
    expect([answer.status, answer.headers.get("idempotent-replayed")]).toEqual([200, null]);
  });

  it("can be used again after 24 hours", async () => {
    const api = await createTestApi();
    const first = await api.call("POST", path, keyed("k", json));
    api.clock.now += dayMs - 1;
    expect((await api.call("POST", path, keyed("k", json))).body).toEqual(first.body);
    api.clock.now += 1;
    const answer = await api.call("POST", path, keyed("k", json));
    expect(answer.headers.get("idempotent-replayed")).toBeNull();
    expect(answer.body).not.toEqual(first.body);
    expect(await createdBy(api)).toBe(2 * jobs);
  });
});

describe("an idempotency key", () => {
  it("of a retry creates one new job", async () => {
    const api = await createTestApi();
    const { body } = await api.call("POST", "/jobs", { json: { url } });
    const early = await api.call("POST", `/jobs/${body.job_id}/retry`, keyed("k"));
    expect(early.status).toBe(400);
    await api.call("DELETE", `/jobs/${body.job_id}`);
    const retry = () => api.call("POST", `/jobs/${body.job_id}/retry`, keyed("k"));
    const answers = await Promise.all([retry(), retry(), retry()]);
    expect(new Set(answers.map((answer) => answer.body.job_id)).size).toBe(1);
    expect(await createdBy(api)).toBe(2);
  });

  it("of a retry belongs to one job, however its id is written", async () => {
    const api = await createTestApi();
    const { body } = await api.call("POST", "/jobs", { json: { url } });
    await api.call("DELETE", `/jobs/${body.job_id}`);
    const first = await api.call("POST", `/jobs/${body.job_id}/retry`, keyed("k"));
    const again = await api.call("POST", `/jobs/${body.job_id.toUpperCase()}/retry`, keyed("k"));
    expect([again.status, again.body]).toEqual([200, first.body]);
    const withBody = await api.call("POST", `/jobs/${body.job_id}/retry`, keyed("k", { format: "mkv" }));
    expect([withBody.status, withBody.body.error]).toEqual([400, "Unknown field: format"]);
  });

  it("belongs to one path", async () => {
    const api = await createTestApi();
    await api.call("POST", "/jobs", keyed("k", { url }));
    const { status, body } = await api.call("POST", "/jobs/bulk", keyed("k", { jobs: [{ url }] }));
    expect([status, body.code]).toEqual([400, "idempotency_key_reused"]);
  });

  it("may be sent as x-idempotency-key; Idempotency-Key takes precedence", async () => {
    const api = await createTestApi();
    const first = await api.call("POST", "/jobs", { json: { url }, headers: { "x-idempotency-key": "k" } });
    const again = await api.call("POST", "/jobs", keyed("k", { url }));
    expect(again.body).toEqual(first.body);
    const both = { "idempotency-key": "l", "x-idempotency-key": "k" };
    expect((await api.call("POST", "/jobs", { json: { url }, headers: both })).body).not.toEqual(first.body);
  });

  it("reveals nothing to another account", async () => {
    const api = await createTestApi();
    const first = await api.call("POST", "/jobs", keyed("k", { url }));
    const other = await createTestAccount(api.dependencies);
    const theirs = await api.send("POST", "/jobs", {
      json: { url, format: "mkv" },
      headers: { "x-api-key": other.key, "idempotency-key": "k" },
    });
    expect(theirs.status).toBe(200);
    expect(theirs.body.job_id).not.toBe(first.body.job_id);
  });

  it("compares the meaning of requests, not their spelling", async () => {
    const api = await createTestApi();
    const send = (body: string) =>
      api.call("POST", "/jobs", {
        body,
        headers: { "idempotency-key": "k", "content-type": "application/json" },
      });
    const first = await send(`{"url":"${url}","folder":"a","format":"mp4"}`);
    const again = await send(
      `{ "format": "mp4", "filename": "", "folder": "a", "webhook_url": null, "url": "${url}" }`,
    );
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  it("takes an empty string in an item of a bulk request as omitted", async () => {
    const api = await createTestApi();
    const first = await api.call("POST", "/jobs/bulk", keyed("k", { jobs: [{ url, filename: "" }] }));
    const again = await api.call("POST", "/jobs/bulk", keyed("k", { jobs: [{ url }] }));
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  it.each(["", "x".repeat(256), "a\u00ffb", "a\tb"])("is rejected as %j", async (key) => {
    const api = await createTestApi();
    const { status, body } = await api.call("POST", "/jobs", keyed(key, { url }));
    expect([status, body.error]).toEqual([400, "Invalid Idempotency-Key"]);
  });

  it.each(["a", "x".repeat(255), "a b ~!\"'%;--"])("is accepted as %j", async (key) => {
    const api = await createTestApi();
    expect((await api.call("POST", "/jobs", keyed(key, { url }))).status).toBe(200);
  });
});

describe("stored responses", () => {
  it("older than 24 hours are deleted, and no others", async () => {
    const api = await createTestApi();
    await api.call("POST", "/jobs", keyed("old", { url }));
    api.clock.now += dayMs - 1;
    await api.call("POST", "/jobs", keyed("new", { url }));
    const keys = async () => {
      await deleteOldAnswers(api.dependencies);
      const rows = await api.dependencies.database.all<{ key: string }>(
        sql`SELECT key FROM idempotency_keys WHERE account_id = ${api.account.id} ORDER BY key`,
      );
      return rows.map(({ key }) => key);
    };
    expect(await keys()).toEqual(["new", "old"]);
    api.clock.now += 1;
    expect(await keys()).toEqual(["new"]);
  });
});

describe("the hash of a request", () => {
  const hash = (body: unknown, method = "POST", path = "/jobs") => requestHash({ method, path, body });
  const anyObject = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 });

  it("does not depend on the order of fields, nor on null fields", async () => {
    await fc.assert(
      fc.asyncProperty(anyObject, async (body) => {
        const turned = Object.fromEntries(Object.entries(body).toReversed());
        const more = { ...turned, ["not given"]: null };
        expect(await hash(more)).toBe(await hash({ ...body, ["not given"]: null }));
        expect(await hash(more)).toBe(await hash(turned));
      }),
    );
  });

  it("depends on every value, the method and the path", async () => {
    await fc.assert(
      fc.asyncProperty(anyObject, fc.string(), async (body, text) => {
        const hashes = [
          await hash({ body, text: `${text}a` }),
          await hash({ body, text: `${text}b` }),
          await hash({ body, text: [`${text}a`] }),
          await hash({ body, text: `${text}a` }, "PUT"),
          await hash({ body, text: `${text}a` }, "POST", "/jobs/bulk"),
        ];
        expect(new Set(hashes).size).toBe(hashes.length);
      }),
    );
  });
});
