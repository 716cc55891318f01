import { createRoute, z } from "@hono/zod-openapi";
import { defineRoute, errors, json, needsKey } from "../http/route.ts";
import { billingPeriod } from "./billing-period.ts";
import { gigabytes } from "./gigabytes.ts";
import { readUsage, type Usage } from "./usage.store.ts";

const usageSchema = z
  .object({
    client_name: z.string().openapi({ description: "The account's name." }),
    usage_count: z.int().openapi({ description: "Jobs created so far, including retries." }),
    storage_usage_gb: z.number().openapi({
      description:
        "Total size of all files ever uploaded in gigabytes (10^9 bytes); deleting files does not reduce it.",
    }),
    billing_period_start: z.int().optional().openapi({
      description: "Milliseconds since the Unix epoch; only when billing is enabled, like the next two.",
    }),
    billing_period_end: z.int().optional().openapi({ description: "When the next period starts." }),
    current_period_usage_gb: z.number().optional().openapi({
      description: "Total size of the files uploaded in the current period, in gigabytes.",
    }),
    limits: z
      .object({
        running: z.int().nullable().openapi({
          description:
            "How many of the account's jobs may run at a time; null: as many as there are slots to share.",
        }),
        pending: z.int().nullable().openapi({
          description:
            "Once this many of its jobs are waiting, a request that creates jobs is a 429; null: no limit.",
        }),
      })
      .openapi({ description: "The account's own limits, set by the operator." }),
  })
  .openapi("Usage", {
    example: {
      client_name: "Acme",
      usage_count: 42,
      storage_usage_gb: 12.75,
      limits: { running: null, pending: 100_000 },
    },
  });

export const getUsage = defineRoute(
  createRoute({
    method: "get",
    operationId: "getUsage",
    path: "/usage",
    summary: "Get the account's usage",
    description: "Counters are exact: they change in the same transaction as the jobs they count.",
    tags: ["Usage"],
    ...needsKey,
    responses: { 200: json(usageSchema, "The account's usage."), ...errors(401, 500) },
  }),
  async (c) => {
    const { account } = c.var;
    const usage = await readUsage(c.env.database, account.id);
    return c.json(
      {
        client_name: account.name,
        usage_count: usage.jobsCreated,
        storage_usage_gb: gigabytes(usage.storageBytes),
        ...billing(usage, c.env.clock()),
        limits: { running: usage.runningLimit, pending: usage.pendingLimit },
      },
      200,
    );
  },
);

/** A new period has counted nothing before its first file. */
function billing({ billingStart, periodStart, periodStorageBytes }: Usage, now: number) {
  if (billingStart === null) return {};
  const { start, end } = billingPeriod(billingStart, now);
  return {
    billing_period_start: start,
    billing_period_end: end,
    current_period_usage_gb: gigabytes(periodStart === start ? periodStorageBytes : 0),
  };
}
