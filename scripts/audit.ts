import { parseArgs } from "node:util";
import { z } from "zod";
import { defaultLimits } from "../contracts/limits.ts";
import { openRemoteDatabase } from "./accounts/remote-database.ts";
import { auditDatabase } from "./audit/database-audit.ts";
import { showFindings } from "./audit/findings.ts";
import { localManagedStorage, openManagedBucket, remoteManagedStorage } from "./audit/managed-bucket.ts";
import { auditStorage } from "./audit/storage-audit.ts";
import { watchJobs } from "./audit/watch-jobs.ts";
import { productionEnvironment } from "./deploy/worker-config.ts";
import { openDatabase } from "./local-system/database.ts";
import { readSystemSettings } from "./local-system/settings.ts";
import { Problem, runScript } from "./problem.ts";
import { showProgress } from "./progress-line.ts";

const usage = `npm run audit -- [--storage] [--watch <seconds>] [--remote]

Checks that nothing was lost and nothing done twice: compares every counter, batch, event and key with the jobs. Reads
all jobs and changes nothing; the system may be running. Exits with 1 if something is wrong.

--watch also reads unfinished jobs repeatedly for that many seconds, and checks that none of them goes back.
--storage also checks each file in managed storage, and looks for uploads that no job needs; a local system has to be
running. --remote checks the deployed database, that of production unless --environment <name> is given, and with
--storage the bucket given by STORAGE_ENDPOINT, STORAGE_BUCKET, STORAGE_REGION, STORAGE_ACCESS_KEY_ID and
STORAGE_SECRET_ACCESS_KEY. Otherwise the local system in STATE_DIR is checked. If the edge has its own MAX_JOB_TIME_MS,
set it for the audit too.`;

const watchSecondsMax = 24 * 60 * 60;

await runScript(async () => {
  const { environment, remote, storage, watchMs, jobTimeMs } = readArguments();
  const settings = readSystemSettings(process.env);
  const database = remote ? openRemoteDatabase(environment) : openDatabase(settings.stateDir);
  const findings = await showProgress("Auditing the database", () =>
    auditDatabase(database, { now: Date.now(), jobTimeMs }),
  );
  if (watchMs > 0)
    findings.push(
      await showProgress("Watching jobs", () => watchJobs(database, AbortSignal.timeout(watchMs))),
    );
  if (storage) {
    const access = remote ? remoteManagedStorage(process.env) : localManagedStorage(settings);
    findings.push(
      ...(await auditStorage(database, openManagedBucket(access), { now: Date.now(), say: console.log })),
    );
  }
  console.log(`\n${showFindings(findings)}`);
  return findings.every(({ rows }) => rows.length === 0) ? 0 : 1;
});

function readArguments() {
  try {
    const flag = { type: "boolean", default: false } as const;
    const environment = { type: "string", default: productionEnvironment } as const;
    const watch = { type: "string", default: "0" } as const;
    const { values } = parseArgs({ options: { remote: flag, storage: flag, environment, watch } });
    return {
      ...values,
      watchMs: 1000 * z.coerce.number().int().min(0).max(watchSecondsMax).parse(values.watch),
      jobTimeMs: z.coerce
        .number()
        .int()
        .positive()
        .default(defaultLimits.jobTimeMs)
        .parse(process.env["MAX_JOB_TIME_MS"]),
    };
  } catch (error) {
    throw new Problem(usage, { cause: error });
  }
}
