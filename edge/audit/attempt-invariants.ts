import { interruptionsMax } from "../../contracts/limits.ts";
import { clockSkewMs, type Invariant } from "./invariant.ts";

/** What the attempts at a job have to satisfy. `startedAfter`: as for `invariants`. */
export function attemptInvariants(startedAfter: number): readonly Invariant[] {
  return [
    {
      name: "jobs_in_work",
      sentence: "A running job has a claim and a node, and one that may publish is uploading a known file",
      query: `
        SELECT account_id, id AS subject, step || ', claim ' || claim || ', publishing ' || publishing AS detail
        FROM jobs
        WHERE status = 'Processing'
          AND (step NOT IN ('Downloading', 'Muxing', 'Uploading') OR claim < 1 OR node_id IS NULL
            OR ready_at IS NOT NULL OR finished_at IS NOT NULL OR (upload_id IS NOT NULL AND storage_key IS NULL)
            OR (publishing AND (step <> 'Uploading' OR storage_key IS NULL OR file_size IS NULL OR media IS NULL)))`,
    },
    {
      name: "overdue_jobs",
      sentence: "No job is still running after its time is over, whatever became of its node",
      query: `
        SELECT account_id, id AS subject, 'running since ' || datetime(started_at / 1000, 'unixepoch') AS detail
        FROM jobs WHERE status = 'Processing' AND started_at < ${startedAfter}`,
    },
    {
      name: "times",
      sentence:
        "A job was created, started, last claimed and ended in this order, and never claimed after its end",
      query: `
        SELECT account_id, id AS subject,
          'claim ' || claim || ', created ' || created_at || ', started ' || coalesce(started_at, 'never')
            || ', claimed ' || coalesce(claimed_at, 'never') || ', ended ' || coalesce(finished_at, 'not yet') AS detail
        FROM jobs
        WHERE (claim = 0) <> (started_at IS NULL) OR (claim = 0) <> (claimed_at IS NULL)
          OR started_at < created_at - ${clockSkewMs} OR claimed_at < started_at - ${clockSkewMs}
          OR finished_at < coalesce(claimed_at, created_at) - ${clockSkewMs}`,
    },
    {
      name: "interruptions",
      sentence: `A job is interrupted at most ${interruptionsMax} times, each of another claim, and fails with the last`,
      query: `
        SELECT account_id, id AS subject, interruptions || ' interruptions, claim ' || claim || ', ' || status AS detail
        FROM jobs
        WHERE interruptions > claim OR interruptions > ${interruptionsMax}
          OR (interruptions = ${interruptionsMax} AND error_code IS NOT 'interrupted')`,
    },
  ];
}
