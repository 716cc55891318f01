import { expect, test } from "vitest";
import type { Diagnosis, NodeDiagnosis } from "../../../contracts/diagnosis.ts";
import { type Expected, judgeDiagnosis } from "../../../scripts/doctor/judge-diagnosis.ts";

const node: NodeDiagnosis = {
  hostname: "machine-a",
  address: "https://a.example",
  silent_ms: 400,
  draining: false,
  jobs: 2,
  facts: { yt_dlp: "2026.11.01", ffmpeg: "7.1", edge_ahead_ms: -300 },
  problem: null,
};
const well: Diagnosis = {
  migrations: ["0000_first.sql", "0001_second.sql"],
  storage_problem: null,
  nodes: [node],
  swept_ms_ago: 4000,
  cron_ms_ago: 30_000,
  longest_wait_ms: null,
};
const expected: Expected = {
  migrations: ["0000_first.sql", "0001_second.sql"],
  isLocal: false,
  now: Date.UTC(2026, 10, 21),
};
const day = 24 * 60 * 60_000;

/** The findings that are faults or warnings, as `part: state`. */
function complaints(diagnosis: Partial<Diagnosis>, given: Partial<Expected> = {}): string[] {
  const findings = judgeDiagnosis({ ...well, ...diagnosis }, { ...expected, ...given });
  const bad = findings.filter(({ state }) => state === "fault" || state === "warning");
  expect(bad.every(({ advice }) => advice !== undefined && advice !== "")).toBe(true);
  return bad.map(({ part, state }) => `${part}: ${state}`);
}
const facts = (given: Partial<NonNullable<NodeDiagnosis["facts"]>>) => ({
  nodes: [{ ...node, facts: { yt_dlp: "2026.11.01", ffmpeg: "7.1", edge_ahead_ms: 0, ...given } }],
});

test("a healthy system has no findings", () => {
  expect(complaints({})).toEqual([]);
});

test.each<[string, Partial<Diagnosis>, string[]]>([
  ["the database does not answer", { migrations: null }, ["Migrations: fault"]],
  ["no migration was applied", { migrations: [] }, ["Migrations: fault"]],
  ["one is missing", { migrations: ["0000_first.sql"] }, ["Migrations: fault"]],
  ["the database is newer", { migrations: [...expected.migrations, "0002.sql"] }, ["Migrations: warning"]],
  ["storage refuses", { storage_problem: "access was denied" }, ["Storage: fault"]],
  ["there is no node", { nodes: [], swept_ms_ago: null }, ["Nodes: fault"]],
  ["a node cannot be reached", { nodes: [node, { ...node, problem: "401" }] }, ["Node machine-a: fault"]],
  ["a node is draining", { nodes: [{ ...node, draining: true }] }, ["Node machine-a: warning"]],
  ["a node has an earlier version", { nodes: [{ ...node, facts: null }] }, ["Node machine-a: warning"]],
  ["a node's clock is off", facts({ edge_ahead_ms: -45_000 }), ["Node machine-a: warning"]],
  ["a node's clock is wrong", facts({ edge_ahead_ms: 400_000 }), ["Node machine-a: fault"]],
  ["the downloader is old", facts({ yt_dlp: "2026.08.01" }), ["Node machine-a: warning"]],
  ["the downloader is 60 days old", facts({ yt_dlp: "2026.09.22" }), ["Node machine-a: warning"]],
  ["the downloader is 59 days old", facts({ yt_dlp: "2026.09.23" }), []],
  ["the downloader cannot be sealed", facts({ yt_dlp_sealed: false }), ["Node machine-a: warning"]],
  ["the downloader's version has no date", facts({ yt_dlp: "unknown" }), []],
  ["the sweep has stopped", { swept_ms_ago: 90_000 }, ["Sweep: fault"]],
  ["the sweep has yet to run", { swept_ms_ago: null }, ["Sweep: warning"]],
  ["cron has stopped", { cron_ms_ago: day }, ["Cron: fault"]],
  ["cron never ran", { cron_ms_ago: null }, ["Cron: fault"]],
  ["jobs wait long", { longest_wait_ms: 600_000 }, ["Queue: warning"]],
  ["jobs wait a little", { longest_wait_ms: 20_000 }, []],
])("it is reported if %s", (_, diagnosis, said) => {
  expect(complaints(diagnosis)).toEqual(said);
});

test("a local system has no cron", () => {
  expect(complaints({ cron_ms_ago: null }, { isLocal: true })).toEqual([]);
});

test("a healthy node's finding tells yt-dlp's version, age and runtime", () => {
  const said = (given: Parameters<typeof facts>[0]) =>
    judgeDiagnosis({ ...well, ...facts(given) }, expected).find(({ part }) => part === "Node machine-a")
      ?.says;
  expect(said({ javascript_runtime: "node 24.21.0" })).toContain(
    "yt-dlp 2026.11.01, 20 days old with node 24.21.0, ffmpeg 7.1",
  );
  expect(said({ javascript_runtime: null })).toContain("20 days old without a JavaScript runtime");
});
