import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../dependencies.ts";
import { transact } from "../transact.ts";
import { webhookTypes } from "./webhook.table.ts";

const deliverySchema = z.object({
  id: z.string(),
  event_id: z.string(),
  type: z.enum(webhookTypes),
  job_id: z.string().nullable(),
  batch_id: z.string().nullable(),
  try: z.int(),
  http_status: z.int().nullable(),
  error: z.string().nullable(),
  created_at: z.int(),
  next_try_at: z.int().nullable(),
});
export type Delivery = z.infer<typeof deliverySchema>;

export interface DeliveryFilter {
  readonly jobId: string | undefined;
  readonly batchId: string | undefined;
}

/** Entries of a filtered log are counted up to this number. */
export const filteredTotalMax = 1000;

/**
 * A page of an account's webhook log, newest first, and the total number of entries: stored for the whole log, counted
 * for that of a job or batch. Reads the page and its offset.
 */
export async function listDeliveries(
  database: Database,
  accountId: string,
  { jobId, batchId }: DeliveryFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ deliveries: Delivery[]; total: number }> {
  const matching = sql.join(
    [
      sql`account_id = ${accountId}`,
      ...(jobId === undefined ? [] : [sql`job_id = ${jobId}`]),
      ...(batchId === undefined ? [] : [sql`batch_id = ${batchId}`]),
    ],
    sql` AND `,
  );
  const isFiltered = jobId !== undefined || batchId !== undefined;
  const log = sql.raw(`webhook_deliveries ${indexFor({ jobId, batchId })}`);
  const [page, counted] = await transact(database, [
    sql`
      SELECT id, event_id, type, job_id, batch_id, try, http_status, error, created_at, next_try_at
      FROM ${log} WHERE ${matching} ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}`,
    isFiltered
      ? sql`
        SELECT count(*) AS total
        FROM (SELECT 1 FROM ${log} WHERE ${matching} LIMIT ${filteredTotalMax})`
      : sql`SELECT webhook_deliveries AS total FROM account_counters WHERE account_id = ${accountId}`,
  ]);
  const [{ total }] = z.tuple([z.object({ total: z.int() })]).parse(counted);
  return { deliveries: z.array(deliverySchema).parse(page), total };
}

/** Without a hint, the planner scans the account's whole log backwards, because that is the requested order. */
function indexFor({ jobId, batchId }: DeliveryFilter): string {
  if (jobId !== undefined) return "INDEXED BY webhook_deliveries_of_job";
  return batchId === undefined ? "" : "INDEXED BY webhook_deliveries_of_batch";
}
