import { createRoute, z } from "@hono/zod-openapi";
import { defineRoute, errors, json, needsKey } from "../http/route.ts";
import { gigabytes } from "./gigabytes.ts";
import { readUsage } from "./usage.store.ts";

const usageSchema = z
  .object({
    client_name: z.string().openapi({ description: "The account's name." }),
    usage_count: z.int().openapi({ description: "Jobs created so far, retries included." }),
    storage_usage_gb: z.number().openapi({
      description: "Gigabytes (10^9 bytes) of all files ever uploaded; deleting files does not lower it.",
    }),
  })
  .openapi("Usage", { example: { client_name: "Acme", usage_count: 42, storage_usage_gb: 12.75 } });

export const getUsage = defineRoute(
  createRoute({
    method: "get",
    operationId: "getUsage",
    path: "/usage",
    summary: "Read what the account has used",
    description: "Counters are exact: they change in the same transaction as the job that they count.",
    tags: ["Usage"],
    ...needsKey,
    responses: { 200: json(usageSchema, "The account's usage."), ...errors(401, 500) },
  }),
  async (c) => {
    const { account } = c.var;
    const { jobsCreated, storageBytes } = await readUsage(c.env.database, account.id);
    return c.json(
      {
        client_name: account.name,
        usage_count: jobsCreated,
        storage_usage_gb: gigabytes(storageBytes),
      },
      200,
    );
  },
);
