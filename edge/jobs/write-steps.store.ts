import { type SQL, sql } from "drizzle-orm";
import { jobSteps } from "../../contracts/job-status.ts";
import type { StepChange } from "../cluster/written-steps.ts";
import type { Dependencies } from "../dependencies.ts";

/** Writes steps reported by heartbeats: forward only, within the claim, without a transition of their own. */
export async function writeSteps(
  { database }: Pick<Dependencies, "database">,
  steps: readonly StepChange[],
): Promise<void> {
  const rank = (column: SQL) => sql`instr(${jobSteps.join(",")}, ${column})`;
  await database.run(sql`
    UPDATE jobs SET step = told.value ->> 'step'
    FROM json_each(${JSON.stringify(steps)}) AS told
    WHERE jobs.account_id = told.value ->> 'accountId' AND jobs.id = told.value ->> 'jobId'
      AND jobs.claim = told.value ->> 'claim' AND jobs.node_id = told.value ->> 'nodeId'
      AND jobs.status = 'Processing'
      AND ${rank(sql`jobs.step`)} < ${rank(sql`told.value ->> 'step'`)}`);
}
