import { expect, test } from "vitest";
import { watchJobs } from "../../../scripts/audit/watch-jobs.ts";
import { openMemoryDatabase } from "../accounts/memory-database.ts";

/** Watches a job in progress, executing one of the statements after each read. */
async function watchWhile(statements: readonly string[]) {
  const raw = await openMemoryDatabase();
  raw.exec(`
    INSERT INTO jobs (account_id, id, url, options, status, step, claim, transition, turn, created_at, storage_location_id)
    VALUES ('acme', 'a', '', '{}', 'Processing', 'Muxing', 1, 't', 1, 1, 1)`);
  const until = new AbortController();
  const rest = [...statements];
  const execute = async (queries: readonly string[]) => {
    const rows = queries.map((query) => raw.prepare(query).all());
    const next = rest.shift();
    if (next === undefined) until.abort();
    else raw.exec(next);
    return rows;
  };
  return watchJobs({ execute }, until.signal);
}

test("a job that progresses to its end is right", async () => {
  const { rows, sentence } = await watchWhile([
    "UPDATE jobs SET status = 'Completed', step = 'Finished', publishing = 1",
  ]);
  expect(rows).toEqual([]);
  expect(sentence).toContain("(1 jobs, read 2 times)");
});

test("a job whose end changes between two reads is reported, and one whose step goes back", async () => {
  const { rows } = await watchWhile([
    "UPDATE jobs SET step = 'Downloading'",
    "UPDATE jobs SET status = 'Failed', step = 'Finished'",
    "UPDATE jobs SET status = 'Completed'",
  ]);
  expect(rows.map(({ subject, detail }) => [subject, detail.split(" from ")[0]])).toEqual([
    ["a", "a step went back"],
    ["a", "an end changed"],
  ]);
});
