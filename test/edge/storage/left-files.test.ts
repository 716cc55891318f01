import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { Sidecar } from "../../../contracts/file-facts.ts";
import type { Report } from "../../../contracts/report.ts";
import { claimJobs } from "../../../edge/dispatch/claim-jobs.store.ts";
import { applyChanges } from "../../../edge/jobs/apply-changes.ts";
import { handleReports } from "../../../edge/processor/handle-reports.ts";
import { deleteLeftFiles } from "../../../edge/storage/delete-left-files.ts";
import { facts, timings } from "../support/made-file.ts";
import { memoryStorage, type MemoryStorage } from "../support/memory-storage.ts";
import { quietCluster } from "../support/quiet-cluster.ts";
import { silentLog } from "../support/silent-log.ts";
import { createTestApi, type TestApi } from "../support/test-api.ts";

const bucket = "https://s3.example/my-media";
const subtitle: Sidecar = { kind: "subtitle", language: "en", storage_key: "Talk.en.vtt", bytes: 10 };
const thumbnail: Sidecar = { kind: "thumbnail", language: null, storage_key: "Talk.jpg", bytes: 20 };
const longEnough = 31_000;
const lastLookMs = 20 * 60_000;
const asLongAsItTakes = () => new AbortController().signal;

let storage: MemoryStorage;
let api: TestApi;
let jobId: string;

/** A job whose files are stored in a custom bucket. */
beforeEach(async () => {
  storage = memoryStorage();
  api = await createTestApi({
    fetch: storage.fetch,
    log: silentLog,
    ...quietCluster({ noteDead: async () => undefined }),
  });
  await api.dependencies.database.run(sql`UPDATE jobs SET ready_at = NULL`);
  await api.dependencies.database.run(sql`DELETE FROM left_files`);
  // Other tests' accounts use the same bucket.
  await api.dependencies.database.run(sql`DELETE FROM reserved_keys`);
  await api.call("POST", "/user/bucket", {
    json: { endpoint: "https://s3.example", bucket: "my-media", access_key_id: "a", secret_access_key: "s" },
  });
  jobId = (await api.call("POST", "/jobs", { json: { url: "https://media.example/a.mp4" } })).body.job_id;
  storage.requests.length = 0;
});

type Said = Report extends infer One
  ? One extends Report
    ? Omit<One, "account_id" | "job_id" | "claim">
    : never
  : never;

async function report(claim: number, ...said: Said[]): Promise<void> {
  const reports = said.map((one): Report => ({ ...one, account_id: api.account.id, job_id: jobId, claim }));
  await handleReports(api.dependencies, { node_id: "node-a", free_slots: 0, reports });
}

/** An attempt that gets as far as publishing its files. */
async function publish(claim: number, sidecars: Sidecar[] = [subtitle, thumbnail]): Promise<void> {
  await claimJobs(api.dependencies, [{ nodeId: "node-a", slots: 10 }]);
  await report(
    claim,
    { kind: "reserve_key", title: "Talk", extension: "mp4", taken: null, sidecars: ["en.vtt", "jpg"] },
    { kind: "publish", facts: { ...facts, sidecars, preferred_subtitle: subtitle.storage_key } },
  );
  for (const name of ["Talk.mp4", ...sidecars.map((sidecar) => sidecar.storage_key)]) store(name, jobId);
}
function store(name: string, writer: string): void {
  storage.objects.set(`${bucket}/${name}`, "file");
  storage.writers.set(`${bucket}/${name}`, writer);
}
const lose = (claim: number) =>
  applyChanges(api.dependencies, [{ accountId: api.account.id, jobId, event: { type: "lose", claim } }]);
const names = () => [...storage.objects.keys()].map((url) => url.slice(bucket.length + 1)).sort();
/** Advances to the next check, or through several; true when nothing is left to check. */
async function clean(...waitsMs: number[]): Promise<boolean> {
  for (const waitMs of waitsMs.length === 0 ? [longEnough, lastLookMs] : waitsMs) {
    api.clock.now += waitMs;
    await deleteLeftFiles(api.dependencies, asLongAsItTakes);
  }
  const rows = await api.dependencies.database.all(sql`SELECT 1 FROM left_files`);
  return rows.length === 0;
}

describe("files that no job shows", () => {
  it("are deleted if a job fails after publishing", async () => {
    await publish(1);
    await report(1, { kind: "failed", code: "storage_error", detail: null });
    expect(await deleteLeftFiles(api.dependencies, asLongAsItTakes)).toEqual({ moreLeft: true });
    expect(names()).toHaveLength(3);
    expect(await clean()).toBe(true);
    expect(names()).toEqual([]);
    expect(await deleteLeftFiles(api.dependencies, asLongAsItTakes)).toEqual({ moreLeft: false });
  });

  it("are deleted if a job is cancelled after a lost attempt published them", async () => {
    await publish(1);
    await lose(1);
    await api.call("DELETE", `/jobs/${jobId}`);
    expect(await clean()).toBe(true);
    expect(names()).toEqual([]);
  });

  it("are deleted if a later attempt completes with fewer sidecars; those that the job shows stay", async () => {
    await publish(1);
    await lose(1);
    await publish(2, [thumbnail]);
    await report(2, { kind: "completed", timings });
    expect(await clean()).toBe(true);
    expect(names()).toEqual(["Talk.jpg", "Talk.mp4"]);
  });

  it("are deleted from a key that the job had to give up", async () => {
    await publish(1);
    await report(1, {
      kind: "reserve_key",
      title: "Talk",
      extension: "mp4",
      taken: "Talk.mp4",
      sidecars: ["jpg"],
    });
    store("Talk.mp4", "somebody else");
    expect(await clean()).toBe(true);
    expect(names()).toEqual(["Talk.mp4"]);
  });

  it("are not searched for if nothing was published, or if the job completed", async () => {
    await claimJobs(api.dependencies, [{ nodeId: "node-a", slots: 10 }]);
    await report(1, { kind: "failed", code: "internal", detail: null });
    jobId = (await api.call("POST", "/jobs", { json: { url: "https://media.example/a.mp4" } })).body.job_id;
    await publish(1);
    await report(1, { kind: "completed", timings });
    storage.requests.length = 0;
    expect(await clean()).toBe(true);
    expect(storage.requests).toEqual([]);
    expect(names()).toHaveLength(3);
  });

  it("stay if another job wrote them", async () => {
    await publish(1);
    store("Talk.jpg", "somebody else");
    storage.writers.delete(`${bucket}/Talk.en.vtt`);
    await report(1, { kind: "failed", code: "storage_error", detail: null });
    expect(await clean()).toBe(true);
    expect(names()).toEqual(["Talk.en.vtt", "Talk.jpg"]);
  });

  it("are deleted even if a frozen node adds them after they were searched for", async () => {
    await publish(1);
    await lose(1);
    await api.call("DELETE", `/jobs/${jobId}`);
    expect(await clean(longEnough)).toBe(false);
    expect(names()).toEqual([]);
    store("Talk.mp4", jobId);
    expect(await clean(lastLookMs)).toBe(true);
    expect(names()).toEqual([]);
  });

  it("are retried for a day if the bucket refuses", async () => {
    await publish(1);
    await report(1, { kind: "failed", code: "storage_error", detail: null });
    storage.answer = (method) => (method === "DELETE" ? new Response(null, { status: 503 }) : null);
    expect(await clean(longEnough)).toBe(false);
    storage.requests.length = 0;
    expect(await clean(longEnough)).toBe(false);
    expect(storage.requests).toEqual([]);
    storage.answer = (_, url) => (url.pathname.endsWith("jpg") ? new Response(null, { status: 503 }) : null);
    expect(await clean(10 * 60_000)).toBe(false);
    expect(names()).toEqual(["Talk.jpg"]);
    expect(await clean(24 * 60 * 60_000)).toBe(true);
    expect(names()).toEqual(["Talk.jpg"]);
  });
});

it("a bucket that hangs delays the sweep by no more than its timeout, and the remaining files stay due", async () => {
  const { database, clock } = api.dependencies;
  await database.run(sql`
    INSERT INTO left_files (account_id, job_id, storage_key, location_id, left_at, try_at)
    SELECT account_id, jobs.id, number.value || '.mp4', storage_location_id, ${clock()}, number.value
    FROM jobs, json_each('[1, 2, 3, 4, 5, 6, 7, 8]') AS number WHERE jobs.id = ${jobId}`);
  const enough = new AbortController();
  let asked = 0;
  const hanging: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      asked += 1;
      init?.signal?.addEventListener("abort", () => reject(new Error("aborted")));
      if (asked === 5) enough.abort();
    });
  await deleteLeftFiles({ ...api.dependencies, fetch: hanging }, () => enough.signal);
  expect(asked).toBe(5);
  const due = await database.all<{ name: string }>(
    sql`SELECT storage_key AS name FROM left_files WHERE try_at <= ${clock()} ORDER BY try_at`,
  );
  expect(due.map(({ name }) => name)).toEqual(["6.mp4", "7.mp4", "8.mp4"]);
});

describe("an upload started by a lost node", () => {
  /** An attempt that is lost while sending parts. */
  async function loseWhileUploading(claim: number, uploadId: string): Promise<void> {
    await claimJobs(api.dependencies, [{ nodeId: "node-a", slots: 10 }]);
    storage.uploads.add(uploadId);
    await report(
      claim,
      { kind: "reserve_key", title: "Talk", extension: "mp4", taken: null, sidecars: ["jpg"] },
      { kind: "upload_started", upload_id: uploadId },
    );
    await lose(claim);
  }

  it("is aborted when its job is cancelled", async () => {
    await loseWhileUploading(1, "first");
    await api.call("DELETE", `/jobs/${jobId}`);
    expect(await clean(longEnough)).toBe(false);
    expect([...storage.uploads]).toEqual([]);
    expect(storage.requests).toEqual([`DELETE ${bucket}/Talk.mp4?uploadId=first`, `HEAD ${bucket}/Talk.mp4`]);
    expect(await clean(lastLookMs)).toBe(true);
  });

  it("is aborted when its job is interrupted for the last time", async () => {
    for (const claim of [1, 2, 3]) await loseWhileUploading(claim, `of claim ${claim}`);
    storage.uploads.delete("of claim 1");
    storage.uploads.delete("of claim 2");
    expect(await clean()).toBe(true);
    expect([...storage.uploads]).toEqual([]);
  });

  it("is aborted when its job continues under another name", async () => {
    await loseWhileUploading(1, "first");
    await claimJobs(api.dependencies, [{ nodeId: "node-a", slots: 10 }]);
    await report(2, { kind: "reserve_key", title: "Talk", extension: "mkv", taken: null, sidecars: [] });
    expect(await clean()).toBe(true);
    expect([...storage.uploads]).toEqual([]);
  });

  it("is retried if the bucket refuses or does not exist", async () => {
    await loseWhileUploading(1, "first");
    await api.call("DELETE", `/jobs/${jobId}`);
    storage.answer = () => new Response("<Error><Code>NoSuchBucket</Code></Error>", { status: 404 });
    expect(await clean(longEnough)).toBe(false);
    expect([...storage.uploads]).toEqual(["first"]);
    storage.answer = () => null;
    expect(await clean(10 * 60_000, lastLookMs)).toBe(true);
    expect([...storage.uploads]).toEqual([]);
  });

  it("is left alone while its job goes on", async () => {
    await loseWhileUploading(1, "first");
    expect(await clean()).toBe(true);
    expect(storage.requests).toEqual([]);
  });
});

describe("files in managed storage", () => {
  const managed = "https://storage.example/ferry-media";
  const log = () => {
    const lines: string[] = [];
    return { lines, log: { ...silentLog, error: (message: string) => void lines.push(message) } };
  };
  /** Files of failed jobs that may be there, with an `&` in their names. */
  async function leave(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      await api.dependencies.database.run(sql`
        INSERT INTO left_files (account_id, job_id, storage_key, location_id, left_at, try_at)
        VALUES (${api.account.id}, ${`job-${n}`}, 'Q&A.mp4', (SELECT id FROM storage_locations WHERE account_id = ''), ${api.clock.now - lastLookMs}, ${n})`);
      storage.objects.set(`${managed}/${api.account.id}/job-${n}/Q%26A.mp4`, "file");
    }
  }
  beforeEach(async () => {
    const { database } = api.dependencies;
    await database.run(sql`
      INSERT INTO storage_locations (endpoint, bucket) VALUES ('https://storage.example', 'ferry-media') ON CONFLICT DO NOTHING`);
  });

  const left = () => api.dependencies.database.all(sql`SELECT job_id FROM left_files ORDER BY job_id`);

  it("stay due if storage names them as not deleted", async () => {
    await leave(3);
    const kept = `<Error><Key>${api.account.id}/job-1/Q&amp;A.mp4</Key><Code>InternalError</Code></Error>`;
    const deleted = `<Deleted><Key>${api.account.id}/job-0/Q&amp;A.mp4</Key></Deleted>`;
    storage.answer = () => new Response(`<DeleteResult>${deleted}${kept}</DeleteResult>`);
    await deleteLeftFiles(api.dependencies, asLongAsItTakes);
    expect(await left()).toEqual([{ job_id: "job-1" }]);
  });

  it.each([
    ["refuses to", new Response("<Error><Code>NotImplemented</Code></Error>", { status: 501 })],
    ["answers only in part", new Response("<DeleteResult><Deleted>")],
  ])("are deleted one by one, some in each sweep, if storage %s delete many", async (_, answer) => {
    await leave(25);
    for (const url of storage.objects.keys()) storage.writers.set(url, url.split("/").at(-2) ?? "");
    storage.answer = (method) => (method === "POST" ? answer.clone() : null);
    expect(await deleteLeftFiles(api.dependencies, asLongAsItTakes)).toEqual({ moreLeft: true });
    expect([(await left()).length, storage.objects.size]).toEqual([5, 5]);
    await deleteLeftFiles(api.dependencies, asLongAsItTakes);
    expect([(await left()).length, storage.objects.size]).toEqual([0, 0]);
  });

  it("are deleted although another file's row cannot be read, which is logged", async () => {
    await leave(1);
    await api.dependencies.database.run(sql`
      UPDATE storage_locations SET region = NULL WHERE account_id = ${api.account.id}`);
    await api.dependencies.database.run(sql`
      INSERT INTO left_files (account_id, job_id, storage_key, location_id, left_at, try_at)
      SELECT ${api.account.id}, 'unreadable', 'a.mp4', id, 1, 0 FROM storage_locations WHERE account_id = ${api.account.id}`);
    const { lines, log: noting } = log();
    await deleteLeftFiles({ ...api.dependencies, log: noting }, asLongAsItTakes);
    expect(await api.dependencies.database.all(sql`SELECT job_id FROM left_files`)).toEqual([
      { job_id: "unreadable" },
    ]);
    expect(lines).toEqual(["An orphaned file's row cannot be read"]);
    await deleteLeftFiles({ ...api.dependencies, log: noting }, asLongAsItTakes);
    expect(lines).toHaveLength(1);
  });
});
