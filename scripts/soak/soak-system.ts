import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFerry, type Ferry } from "../../client/ferry-client.ts";
import { defaultLimits } from "../../contracts/limits.ts";
import { auditDatabase } from "../audit/database-audit.ts";
import { showFindings } from "../audit/findings.ts";
import type { Finding } from "../audit/findings.ts";
import { openManagedBucket } from "../audit/managed-bucket.ts";
import { auditStorage } from "../audit/storage-audit.ts";
import { watchJobs } from "../audit/watch-jobs.ts";
import { openDatabase } from "../local-system/database.ts";
import { localStorageVariables } from "../local-system/storage.ts";
import { makeMedia } from "../origin/make-media.ts";
import { startOrigin } from "../origin/serve-origin.ts";
import { Blows } from "./blows.ts";
import { auditUploads } from "./left-uploads.ts";
import { auditWorkFolders } from "./left-work.ts";
import { makeLongEpisode } from "./long-episode.ts";
import { luckOf } from "./luck.ts";
import { startSoakedSystem, type SoakedSystem } from "./soaked-system.ts";
import { readJobLines, recoveriesOf } from "./recoveries.ts";
import { type Fault, recoveryStory } from "./recovery-story.ts";
import { recoveryGoalMs, recoveryText, type SoakResult } from "./soak-section.ts";
import { SoakedJobs } from "./soaked-jobs.ts";

/** The share of requests that fail while processes are killed and paused. */
const faultShare = 0.15;
const shownEveryMs = 15_000;
/** Every job ends within this time once the faults have stopped. */
const calmMs = 4 * 60_000;
/** After that, nothing is left on the nodes within this time. */
const stoppedMs = 30_000;
/** And no upload is open: the sweep waits half a minute before it aborts one. */
const abortedMs = 90_000;

/** Ends after `faults` of them, or after `minutes` if that is sooner. */
export interface SoakLimits {
  readonly faults: number;
  readonly minutes: number;
}

/**
 * Runs a real system while processes are killed and paused, messages are lost and duplicated, and storage fails; then
 * lets it settle and audits it.
 */
export async function soakSystem(limits: SoakLimits, signal: AbortSignal): Promise<SoakResult> {
  const folder = await mkdtemp(join(tmpdir(), "ferry-soak-"));
  const mediaFolder = join(folder, "media");
  await makeMedia(mediaFolder);
  const longEpisode = await makeLongEpisode(mediaFolder);
  const origin = await startOrigin({ folder: mediaFolder });
  const luck = luckOf(Math.random);
  const faults: Fault[] = [];
  const onFault = (kind: string) => faults.push({ kind, atMs: Date.now() });
  let system: SoakedSystem | null = null;
  try {
    system = await startSoakedSystem(join(folder, "state"), { signal, luck, onFault });
    const ferry = createFerry({ baseUrl: system.url, apiKey: system.apiKey });
    const jobs = new SoakedJobs(ferry, { originUrl: origin.url, longEpisode }, luck);
    const blows = new Blows(system, jobs, luck, onFault);
    const begun = performance.now();
    const isOver = () =>
      faults.length >= limits.faults || performance.now() - begun >= limits.minutes * 60_000;
    const show = () =>
      console.log(
        `${Math.round((performance.now() - begun) / 1000)} s: ${faults.length} faults, ${jobs.summary()}`,
      );
    const watched = new AbortController();
    const watching = watchJobs(openDatabase(system.settings.stateDir), watched.signal);
    // If it fails before the faults are over, the audit shows it.
    watching.catch(() => undefined);
    for (const proxy of system.proxies) proxy.faultShare = faultShare;
    for (let shownAt = begun; !isOver() && !signal.aborted;) {
      await jobs.keepBusy();
      await blows.next(signal);
      if (performance.now() - shownAt < shownEveryMs) continue;
      show();
      shownAt = performance.now();
    }
    signal.throwIfAborted();
    for (const proxy of system.proxies) proxy.faultShare = 0;
    await blows.settle();
    const neverEnded = await jobs.waitForAll(calmMs, signal);
    show();
    watched.abort();
    const counts = countByKind(faults);
    for (const [fault, count] of counts) console.log(`  ${count} × ${fault}`);
    const result: SoakResult = {
      faults: counts,
      completed: jobs.ends.Completed,
      failed: jobs.ends.Failed,
      neverEnded,
      ...(await audit(system, ferry, jobs, await watching)),
      ...(await recoveries(system, blows)),
    };
    console.log(`${neverEnded} jobs never ended`);
    console.log(recoveryText(result));
    await tellSlowRecoveries(system, result, faults);
    return result;
  } finally {
    await system?.stop();
    await origin.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function countByKind(faults: readonly Fault[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kind } of faults) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

async function recoveries({ nodeLogs }: SoakedSystem, { deaths }: Blows) {
  const found = recoveriesOf(deaths, await Promise.all(nodeLogs.map(readJobLines)));
  return { nodesKilled: deaths.length, recoveries: found };
}

/** The cause of a slow recovery is in what else happened meanwhile. */
async function tellSlowRecoveries(
  { edgeLog, nodeLogs }: SoakedSystem,
  result: SoakResult,
  faults: readonly Fault[],
): Promise<void> {
  for (const slow of result.recoveries.filter(({ tookMs }) => tookMs > recoveryGoalMs)) {
    console.log(`Job ${slow.jobId}, ${slow.tookMs} ms after the death of its node:`);
    for (const line of await recoveryStory(slow, faults, [edgeLog, ...nodeLogs])) console.log(`  ${line}`);
  }
}

async function audit(
  { settings, storage, workFolders }: SoakedSystem,
  ferry: Ferry,
  jobs: SoakedJobs,
  history: Finding,
) {
  const database = openDatabase(settings.stateDir);
  const bucket = openManagedBucket(localStorageVariables(storage.url));
  const findings = [
    history,
    await auditUploads(storage, abortedMs),
    ...(await auditDatabase(database, { now: Date.now(), jobTimeMs: defaultLimits.jobTimeMs })),
    ...(await auditStorage(database, bucket, { now: Date.now(), say: () => undefined })),
    await auditWorkFolders(workFolders, stoppedMs),
  ];
  console.log(showFindings(findings));
  const { data: usage } = await ferry.GET("/usage");
  console.log(`${usage?.usage_count} jobs counted, ${jobs.accepted} accepted`);
  return {
    wrong: findings.reduce((sum, { rows }) => sum + rows.length, 0),
    countedTwice: (usage?.usage_count ?? Number.NaN) - jobs.accepted,
  };
}
