import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { WorkingStep } from "../../../contracts/job-status.ts";
import type { Report } from "../../../contracts/report.ts";
import type { ClaimedJob } from "../../../contracts/task.ts";
import { claimJobs } from "../../../edge/dispatch/claim-jobs.store.ts";
import { createJobs } from "../../../edge/jobs/create-jobs.store.ts";
import { applyChanges } from "../../../edge/jobs/apply-changes.ts";
import { writeSteps } from "../../../edge/jobs/write-steps.store.ts";
import { handleReports } from "../../../edge/processor/handle-reports.ts";
import { facts, timings } from "../support/made-file.ts";
import { countedFromRows, countersOf, createBareAccount, newJob } from "../support/test-account.ts";
import { testDependencies } from "../support/test-dependencies.ts";

async function setUp(jobs = 1) {
  const clock = { now: Date.UTC(2026, 0, 31, 12) };
  const dependencies = testDependencies(clock);
  // Each test needs an empty queue: the tests of a file share its database.
  await dependencies.database.run(sql`UPDATE jobs SET ready_at = NULL WHERE status = 'Pending'`);
  const accountId = await createBareAccount(dependencies);
  const created = Array.from({ length: jobs }, () => newJob(dependencies));
  await createJobs(dependencies, { accountId, jobs: created, batch: null, keptAnswer: null });
  const ids = created.map(({ id }) => id);
  return { clock, dependencies, accountId, ids, id: ids[0] ?? "" };
}

type SetUp = Awaited<ReturnType<typeof setUp>>;

async function rowOf({ dependencies }: SetUp, id: string) {
  const [row] = await dependencies.database.all<Record<string, unknown>>(
    sql`SELECT * FROM jobs WHERE id = ${id}`,
  );
  return row;
}

async function claim({ dependencies }: SetUp, slots = 100, nodeId = "node-a") {
  const [rows = []] = await claimJobs(dependencies, [{ nodeId, slots }]);
  return rows;
}

function report({ dependencies }: SetUp, reports: Report[], freeSlots = 0, nodeId = "node-a") {
  return handleReports(dependencies, { node_id: nodeId, free_slots: freeSlots, reports });
}

function reserveAll(it: SetUp, subjects: readonly ClaimedJob[]) {
  const wishes = subjects.map((subject): Report => {
    return { ...subject, kind: "reserve_key", title: "Talk", extension: "mp4", taken: null, sidecars: [] };
  });
  return report(it, wishes);
}

async function expectExactCounters({ dependencies, accountId }: SetUp) {
  expect(await countersOf(dependencies, accountId)).toEqual(await countedFromRows(dependencies, accountId));
}

describe("claiming", () => {
  test("hands out due jobs in order, each once, under a new claim", async () => {
    const it = await setUp(5);
    const [first, second] = await claimJobs(it.dependencies, [
      { nodeId: "node-a", slots: 2 },
      { nodeId: "node-b", slots: 10 },
    ]);
    expect(first?.map(({ jobId }) => jobId)).toEqual(it.ids.slice(0, 2));
    expect(second?.map(({ jobId }) => jobId)).toEqual(it.ids.slice(2));
    expect([...(first ?? []), ...(second ?? [])].every(({ claim: drawn }) => drawn === 1)).toBe(true);
    expect(await claim(it)).toEqual([]);
    await expectExactCounters(it);
  });

  test("puts another account's new single job ahead of the rest of a long queue", async () => {
    const it = await setUp(50);
    await claim(it, 10);
    const other = await createBareAccount(it.dependencies);
    const single = newJob(it.dependencies);
    await createJobs(it.dependencies, { accountId: other, jobs: [single], batch: null, keptAnswer: null });
    const next = await claim(it, 2);
    expect(next.map(({ jobId }) => jobId)).toContain(single.id);
  });

  test("skips jobs that are held back", async () => {
    const it = await setUp(1);
    await it.dependencies.database.run(sql`UPDATE jobs SET ready_at = NULL WHERE id = ${it.id}`);
    expect(await claim(it)).toEqual([]);
  });
});

describe("a job's reports", () => {
  test("reserve the key, upload, publish and complete, and the counters follow", async () => {
    const it = await setUp();
    await claim(it);
    const subject = { account_id: it.accountId, job_id: it.id, claim: 1 };
    const reserved = await report(it, [
      {
        ...subject,
        kind: "reserve_key",
        title: "A film: part 1",
        extension: "mp4",
        taken: null,
        sidecars: [],
      },
    ]);
    expect(reserved.results).toEqual([
      {
        job_id: it.id,
        outcome: "accepted",
        key: { storage_key: "A film part 1.mp4", object_key: `${it.accountId}/${it.id}/A film part 1.mp4` },
      },
    ]);
    await report(it, [{ ...subject, kind: "upload_started", upload_id: "upload-1" }]);
    await report(it, [{ ...subject, kind: "publish", facts }]);
    it.clock.now += 5000;
    const answer = await report(it, [{ ...subject, kind: "completed", timings }]);
    expect(answer).toEqual({ results: [{ job_id: it.id, outcome: "accepted", key: null }], tasks: [] });

    expect(await rowOf(it, it.id)).toMatchObject({
      status: "Completed",
      step: "Finished",
      storage_key: "A film part 1.mp4",
      upload_id: "upload-1",
      file_size: 1000,
      finished_at: it.clock.now,
      node_id: null,
    });
    await expectExactCounters(it);
    expect(await countersOf(it.dependencies, it.accountId)).toMatchObject({
      completed: 1,
      storage_bytes: 1000,
    });
    const days = await it.dependencies.database.all(
      sql`SELECT day, completed, failed FROM day_counts WHERE account_id = ${it.accountId}`,
    );
    expect(days).toEqual([{ day: "2026-01-31", completed: 1, failed: 0 }]);
  });

  test("facts under a name that the job no longer has are fenced and change nothing", async () => {
    const it = await setUp();
    await claim(it);
    const subject = { account_id: it.accountId, job_id: it.id, claim: 1 };
    const reserve = (taken: string | null) =>
      report(it, [
        { ...subject, kind: "reserve_key", title: "Talk", extension: "mp4", taken, sidecars: ["jpg"] },
      ]);
    const publish = (storage_key: string) => {
      const sidecars = [{ kind: "thumbnail", language: null, storage_key, bytes: 10 }] as const;
      return report(it, [{ ...subject, kind: "publish", facts: { ...facts, sidecars: [...sidecars] } }]);
    };
    await reserve(null);
    await publish("Talk.jpg");
    await reserve("Talk.mp4");
    await publish("Talk (2).jpg");
    const before = await rowOf(it, it.id);
    expect(before).toMatchObject({ storage_key: "Talk (2).mp4" });
    expect(await publish("Talk.jpg")).toMatchObject({ results: [{ outcome: "fenced" }] });
    expect(await rowOf(it, it.id)).toEqual(before);
  });

  test("a completion reported several times, even at once, is counted once and accepted each time", async () => {
    const it = await setUp();
    await claim(it);
    const subject = { account_id: it.accountId, job_id: it.id, claim: 1 };
    await reserveAll(it, [subject]);
    await report(it, [{ ...subject, kind: "publish", facts }]);
    const completed: Report = { ...subject, kind: "completed", timings };
    const answers = await Promise.all([
      report(it, [completed]),
      report(it, [completed]),
      report(it, [completed]),
    ]);
    expect(answers.flatMap(({ results }) => results.map(({ outcome }) => outcome))).toEqual([
      "accepted",
      "accepted",
      "accepted",
    ]);
    await expectExactCounters(it);
  });

  test("what an attempt has asked before its latest question comes too late, and changes nothing", async () => {
    const it = await setUp();
    await claim(it);
    const subject = { account_id: it.accountId, job_id: it.id, claim: 1 };
    const wish = { ...subject, kind: "reserve_key", title: "Talk", taken: null } as const;
    const asked: Report[] = [
      { ...wish, sequence: 1, extension: "mp4", sidecars: [] },
      { ...subject, sequence: 2, kind: "upload_started", upload_id: "upload-1" },
      // The source turned out to be something else.
      { ...wish, sequence: 3, extension: "mp3", sidecars: [] },
      { ...subject, sequence: 4, kind: "upload_started", upload_id: "upload-2" },
      { ...subject, sequence: 5, kind: "publish", facts },
    ];
    for (const one of asked)
      expect(await report(it, [one])).toMatchObject({ results: [{ outcome: "accepted" }] });
    const before = await rowOf(it, it.id);
    expect(before).toMatchObject({ storage_key: "Talk.mp3", upload_id: "upload-2", report_sequence: 5 });
    const late = [...asked.slice(0, -1), { ...subject, sequence: 4, kind: "publish", facts } as const];
    for (const one of late)
      expect(await report(it, [one])).toMatchObject({ results: [{ outcome: "fenced" }] });
    expect(await rowOf(it, it.id)).toEqual(before);
    await report(it, [{ ...subject, kind: "returned" }]);
    await claim(it);
    const next: Report = { ...wish, claim: 2, sequence: 1, extension: "mp4", sidecars: [] };
    expect(await report(it, [next])).toMatchObject({ results: [{ outcome: "accepted" }] });
  });

  test("neither an upload nor facts are taken of a job that has no name yet", async () => {
    const it = await setUp();
    await claim(it);
    const subject = { account_id: it.accountId, job_id: it.id, claim: 1 };
    const before = await rowOf(it, it.id);
    const { results } = await report(it, [
      { ...subject, kind: "upload_started", upload_id: "upload" },
      { ...subject, kind: "publish", facts },
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual(["fenced", "fenced"]);
    expect(await rowOf(it, it.id)).toEqual(before);
  });

  test("a completion without permission to publish is fenced", async () => {
    const it = await setUp();
    await claim(it);
    const subject = { account_id: it.accountId, job_id: it.id, claim: 1 };
    const { results } = await report(it, [{ ...subject, kind: "completed", timings }]);
    expect(results[0]?.outcome).toBe("fenced");
  });

  /** Sends every kind of report about a claim; none may be accepted. */
  async function expectFenced(it: SetUp, claimed: ClaimedJob, nodeId: string): Promise<void> {
    const before = await rowOf(it, it.id);
    const reports: Report[] = [
      { ...claimed, kind: "reserve_key", title: null, extension: "mp4", taken: null, sidecars: [] },
      { ...claimed, kind: "upload_started", upload_id: "zombie" },
      { ...claimed, kind: "publish", facts },
      { ...claimed, kind: "completed", timings },
      { ...claimed, kind: "failed", code: "internal", detail: null },
      { ...claimed, kind: "returned" },
    ];
    const { results } = await report(it, reports, 0, nodeId);
    expect(results.map(({ outcome }) => outcome)).toEqual(reports.map(() => "fenced"));
    expect(await rowOf(it, it.id)).toEqual(before);
  }

  test("every report of a dead claim is fenced and changes nothing", async () => {
    const it = await setUp();
    await claim(it);
    const dead = { account_id: it.accountId, job_id: it.id, claim: 1 };
    await report(it, [{ ...dead, kind: "returned" }]);
    await claim(it);
    await expectFenced(it, dead, "node-a");
  });

  test("every report from a process other than the one that holds the claim is fenced", async () => {
    const it = await setUp();
    await claim(it);
    await expectFenced(it, { account_id: it.accountId, job_id: it.id, claim: 1 }, "node-a2");
  });

  test("another account's job with the same id is not changed", async () => {
    const it = await setUp();
    await claim(it);
    const stranger = await createBareAccount(it.dependencies);
    const { results } = await report(it, [
      { account_id: stranger, job_id: it.id, claim: 1, kind: "failed", code: "internal", detail: null },
    ]);
    expect(results[0]?.outcome).toBe("fenced");
    expect(await rowOf(it, it.id)).toMatchObject({ status: "Processing" });
  });

  test("a failure keeps its message without the tool's name, and frees the key", async () => {
    const it = await setUp();
    await claim(it);
    const subject = { account_id: it.accountId, job_id: it.id, claim: 1 };
    await report(it, [
      { ...subject, kind: "reserve_key", title: "x", extension: "mp4", taken: null, sidecars: [] },
    ]);
    await report(it, [
      { ...subject, kind: "failed", code: "source_error", detail: "YT-DLP and yt_dlp said 502" },
    ]);
    expect(await rowOf(it, it.id)).toMatchObject({
      status: "Failed",
      error_code: "source_error",
      error: "Source error: downloader and downloader said 502",
    });
    const [key] = await it.dependencies.database.all(
      sql`SELECT freed_at FROM reserved_keys WHERE job_id = ${it.id}`,
    );
    expect(key).toEqual({ freed_at: it.clock.now });
    await expectExactCounters(it);
  });

  test("the slot of a job that has ended is filled in the same response", async () => {
    const it = await setUp(3);
    await claim(it, 1);
    const subject = { account_id: it.accountId, job_id: it.id, claim: 1 };
    const { tasks } = await report(it, [{ ...subject, kind: "failed", code: "internal", detail: null }], 5);
    expect(tasks.map(({ job_id }) => job_id)).toEqual([it.ids[1]]);

    const again = await report(it, [{ ...subject, kind: "failed", code: "internal", detail: null }], 5);
    expect(again.results).toMatchObject([{ outcome: "accepted" }]);
    expect(again.tasks, "a request that is repeated").toEqual([]);
    await expectExactCounters(it);
  });

  test("a node that returns a job does not get it again in the same response", async () => {
    const it = await setUp();
    await claim(it);
    const subject = { account_id: it.accountId, job_id: it.id, claim: 1 };
    expect((await report(it, [{ ...subject, kind: "returned" }], 5)).tasks).toEqual([]);
    expect(await claim(it, 1, "node-b")).toMatchObject([{ jobId: it.id, claim: 2 }]);
  });

  test("the next attempt is told what the previous one left", async () => {
    const it = await setUp();
    await claim(it);
    const subject = { account_id: it.accountId, job_id: it.id, claim: 1 };
    await report(it, [
      { ...subject, kind: "reserve_key", title: "t", extension: "mp4", taken: null, sidecars: [] },
    ]);
    await report(it, [{ ...subject, kind: "upload_started", upload_id: "upload-1" }]);
    await report(it, [{ ...subject, kind: "publish", facts }]);
    await report(it, [{ ...subject, kind: "returned" }]);
    const [again] = await claim(it);
    expect(again).toMatchObject({ claim: 2, storageKey: "t.mp4", uploadId: "upload-1", facts });
  });
});

describe("keys", () => {
  test("equal names are numbered, even if reserved at the same time", async () => {
    const it = await setUp(25);
    await claim(it);
    const { results } = await report(
      it,
      it.ids.map((job_id) => ({
        account_id: it.accountId,
        job_id,
        claim: 1,
        kind: "reserve_key",
        title: "Episode",
        extension: "mp3",
        taken: null,
        sidecars: [],
      })),
    );
    const keys = results.map(({ key }) => key?.storage_key);
    expect(new Set(keys).size).toBe(25);
    expect(keys).toContain("Episode.mp3");
    expect(keys).toContain("Episode (25).mp3");
  });

  test("reserving again gives the same key; a key already taken in storage is skipped", async () => {
    const it = await setUp();
    await claim(it);
    const ask = async (taken: string | null) => {
      const { results } = await report(it, [
        {
          account_id: it.accountId,
          job_id: it.id,
          claim: 1,
          kind: "reserve_key",
          title: "a",
          extension: "mp4",
          taken,
          sidecars: [],
        },
      ]);
      return results[0]?.key?.storage_key;
    };
    expect([await ask(null), await ask(null), await ask("a.mp4"), await ask(null)]).toEqual([
      "a.mp4",
      "a.mp4",
      "a (2).mp4",
      "a (2).mp4",
    ]);
  });

  test("a freed key is not reused for an hour", async () => {
    const it = await setUp(3);
    await claim(it);
    const subjects = it.ids.map((job_id) => ({ account_id: it.accountId, job_id, claim: 1 }));
    const ask = async (index: number) => {
      const subject = subjects[index];
      if (subject === undefined) throw new Error("No such job");
      const { results } = await report(it, [
        { ...subject, kind: "reserve_key", title: "b", extension: "mp4", taken: null, sidecars: [] },
      ]);
      return { subject, key: results[0]?.key?.storage_key };
    };
    const first = await ask(0);
    await report(it, [{ ...first.subject, kind: "failed", code: "internal", detail: null }]);
    expect((await ask(1)).key).toBe("b (2).mp4");
    it.clock.now += 60 * 60 * 1000;
    expect((await ask(2)).key).toBe("b.mp4");
  });
});

describe("losing nodes", () => {
  test("the third loss fails the job, counted once", async () => {
    const it = await setUp();
    for (const interruption of [1, 2, 3]) {
      const [row] = await claim(it);
      const [outcome] = await applyChanges(it.dependencies, [
        { accountId: it.accountId, jobId: it.id, event: { type: "lose", claim: row?.claim ?? 0 } },
      ]);
      expect(outcome?.kind).toBe("changed");
      expect(await rowOf(it, it.id)).toMatchObject({
        interruptions: interruption,
        status: interruption < 3 ? "Pending" : "Failed",
      });
    }
    expect(await rowOf(it, it.id)).toMatchObject({ error: "Processing was interrupted too many times" });
    await expectExactCounters(it);
  });

  test("of a simultaneous loss and completion, exactly one wins", async () => {
    const it = await setUp(20);
    await claim(it);
    const subjects = it.ids.map((job_id) => ({ account_id: it.accountId, job_id, claim: 1 }));
    await reserveAll(it, subjects);
    await report(
      it,
      subjects.map((subject) => ({ ...subject, kind: "publish", facts })),
    );
    await Promise.all([
      report(
        it,
        subjects.map((subject) => ({ ...subject, kind: "completed", timings })),
      ),
      ...it.ids.map((jobId) =>
        applyChanges(it.dependencies, [
          { accountId: it.accountId, jobId, event: { type: "lose", claim: 1 } },
        ]),
      ),
    ]);
    await expectExactCounters(it);
    const counters = await countersOf(it.dependencies, it.accountId);
    expect((counters?.["completed"] ?? 0) + (counters?.["pending"] ?? 0)).toBe(20);
    expect(counters?.["storage_bytes"]).toBe(1000 * (counters?.["completed"] ?? 0));
  });
});

test("steps only go forward, and only under the current claim", async () => {
  const it = await setUp();
  await claim(it);
  const tell = async (step: WorkingStep, told = 1, nodeId = "node-a") => {
    const change = { nodeId, accountId: it.accountId, jobId: it.id, claim: told, step };
    await writeSteps(it.dependencies, [change]);
    return (await rowOf(it, it.id))?.["step"];
  };
  expect([
    await tell("Muxing"),
    await tell("Downloading"),
    await tell("Uploading", 7),
    await tell("Uploading", 1, "node-a2"),
    await tell("Uploading"),
  ]).toEqual(["Muxing", "Muxing", "Muxing", "Muxing", "Uploading"]);
});
