import type { Diagnosis, NodeDiagnosis } from "../../contracts/diagnosis.ts";
import { signatureWindowMs } from "../../contracts/limits.ts";
import { downloaderAgeDays } from "../../processor/source/downloader-age.ts";
import { fault, type Finding, ok, skipped, warning } from "./finding.ts";

export interface Expected {
  /** Names of the migrations in this checkout, in order. */
  readonly migrations: readonly string[];
  readonly isLocal: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const minuteMs = 60_000;
/** The sweep runs every five seconds while a node is alive. */
const sweepLateMs = minuteMs;
const cronLateMs = 5 * minuteMs;
const waitLongMs = 5 * minuteMs;
const clockOffMs = 30_000;
/** Sites change more often than that. */
const downloaderOldDays = 60;

/** What the edge's own findings mean, and what to do about them. */
export function judgeDiagnosis(diagnosis: Diagnosis, expected: Expected): Finding[] {
  return [
    judgeMigrations(diagnosis.migrations, expected),
    judgeStorage(diagnosis.storage_problem, expected),
    ...judgeNodes(diagnosis.nodes, expected),
    judgeSweep(diagnosis),
    judgeCron(diagnosis.cron_ms_ago, expected),
    judgeQueue(diagnosis),
  ];
}

function judgeMigrations(applied: Diagnosis["migrations"], { migrations, isLocal }: Expected): Finding {
  const part = "Migrations";
  if (applied === null) return fault(part, "The database does not answer", "See the edge's log.");
  const missing = migrations.filter((name) => !applied.includes(name));
  if (missing.length > 0) {
    return fault(
      part,
      `The database lacks ${missing.join(", ")}`,
      isLocal ? "Stop the system and start it again: npm start applies them." : "Apply them: npm run deploy.",
    );
  }
  const unknown = applied.filter((name) => !migrations.includes(name));
  if (unknown.length > 0) {
    return warning(part, `The database has ${unknown.join(", ")}, unknown here`, "Update this checkout.");
  }
  return ok(part, `all ${migrations.length} are applied`);
}

function judgeStorage(problem: string | null, { isLocal }: Expected): Finding {
  const part = "Storage";
  if (problem === null) return ok(part, "stores, returns and deletes an object");
  return fault(
    part,
    problem,
    isLocal
      ? "The local bucket is part of the edge: start the system again."
      : "Check STORAGE_ENDPOINT, STORAGE_BUCKET, STORAGE_ACCESS_KEY_ID and STORAGE_SECRET_ACCESS_KEY of the edge; the key needs to read and write objects.",
  );
}

function judgeNodes(nodes: readonly NodeDiagnosis[], expected: Expected): Finding[] {
  if (nodes.length > 0) return nodes.map((node) => judgeNode(node, expected));
  return [
    fault(
      "Nodes",
      "No node has been heard from in the last 15 s: jobs wait",
      expected.isLocal
        ? "The node's log in STATE_DIR says why; npm start restarts it when it ends."
        : "Start one. If one is running, its log says why it cannot reach the edge: EDGE_URL, PROCESSOR_SECRET or its network.",
    ),
  ];
}

function judgeNode(node: NodeDiagnosis, { now }: Expected): Finding {
  const part = `Node ${node.hostname}`;
  if (node.problem !== null) {
    return fault(
      part,
      `sends heartbeats, but the edge cannot reach it at ${node.address}: ${node.problem}`,
      "PUBLIC_ADDRESS has to be an address at which the edge can reach it, through firewalls and proxies; the node may also hang.",
    );
  }
  if (node.draining)
    return warning(part, "is draining: it accepts no more tasks", "Nothing, if it is being replaced.");
  if (node.facts === null) return warning(part, "has an earlier version", "Update it.");
  const { yt_dlp, yt_dlp_sealed, javascript_runtime, ffmpeg, edge_ahead_ms } = node.facts;
  if (Math.abs(edge_ahead_ms) > clockOffMs) {
    const says = `Its clock differs from the edge's by ${Math.round(edge_ahead_ms / 1000)} s`;
    const advice = "Set it, preferably with NTP: storage rejects requests with a wrong time.";
    return Math.abs(edge_ahead_ms) > signatureWindowMs
      ? fault(part, says, advice)
      : warning(part, says, advice);
  }
  if (yt_dlp_sealed === false) {
    return warning(
      part,
      `Its yt-dlp ${yt_dlp} cannot be sealed: a URL may tell it which headers to send`,
      "Update Ferry, or use a yt-dlp in Python that it knows.",
    );
  }
  const ageDays = downloaderAgeDays(yt_dlp, now);
  if (ageDays !== null && ageDays >= downloaderOldDays) {
    return warning(
      part,
      `Its yt-dlp ${yt_dlp} is ${ageDays} days old`,
      "Update it: sites change, and only current versions keep up. Media files, HLS, DASH and feeds do not need it.",
    );
  }
  const age = ageDays === null ? "" : `, ${ageDays} days old`;
  const runtime = javascript_runtime ? ` with ${javascript_runtime}` : " without a JavaScript runtime";
  return ok(
    part,
    `accepts tasks at ${node.address}; ${node.jobs} jobs, yt-dlp ${yt_dlp}${age}${runtime}, ffmpeg ${ffmpeg}`,
  );
}

function judgeSweep({ nodes, swept_ms_ago }: Diagnosis): Finding {
  const part = "Sweep";
  if (swept_ms_ago !== null && swept_ms_ago <= sweepLateMs) {
    return ok(part, `ran ${Math.round(swept_ms_ago / 1000)} s ago`);
  }
  if (nodes.length === 0) return skipped(part, "is idle while there is no node");
  if (swept_ms_ago === null) {
    return warning(part, "has not run since the registry was started", "Run the doctor again in a minute.");
  }
  return fault(
    part,
    "has not completed for a minute: lost jobs and messages are not recovered",
    'Look for "A sweep failed" in the edge\'s log.',
  );
}

function judgeCron(cronMsAgo: number | null, { isLocal }: Expected): Finding {
  const part = "Cron";
  if (isLocal) return skipped(part, "does not run locally");
  if (cronMsAgo !== null && cronMsAgo <= cronLateMs)
    return ok(part, `ran ${Math.round(cronMsAgo / 1000)} s ago`);
  return fault(
    part,
    cronMsAgo === null ? "has never run" : `has not run for ${Math.round(cronMsAgo / minuteMs)} minutes`,
    "A new trigger takes up to 15 minutes. After that, deploy again, and check the Worker's triggers.",
  );
}

function judgeQueue({ longest_wait_ms }: Diagnosis): Finding {
  const part = "Queue";
  if (longest_wait_ms === null) return ok(part, "no job is waiting");
  const seconds = Math.round(longest_wait_ms / 1000);
  if (longest_wait_ms < waitLongMs) return ok(part, `the first job has been due for ${seconds} s`);
  return warning(part, `The first job has been due for ${seconds} s`, "Add nodes or slots.");
}
