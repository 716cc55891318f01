import { createRoute, z } from "@hono/zod-openapi";
import { idFilter, pageFields } from "../http/page-query.ts";
import { defineRoute, errors, json, needsKey } from "../http/route.ts";
import { filteredTotalMax, listDeliveries } from "./webhook-delivery.store.ts";
import { webhookTypes } from "./webhook.table.ts";

const timestamp = z.int().openapi({ description: "Milliseconds since the Unix epoch." });

const deliverySchema = z.object({
  id: z.guid(),
  event_id: z.guid().openapi({ description: "The `webhook-id` header of all deliveries of the event." }),
  type: z.enum(webhookTypes),
  job_id: z.guid().nullable(),
  batch_id: z.guid().nullable(),
  try: z.int().positive().openapi({ description: "1 for the first attempt; starts again when redelivered." }),
  http_status: z.int().nullable().openapi({ description: "Null if there was no response." }),
  error: z.string().nullable().openapi({ description: "Null if the response was a 2xx." }),
  created_at: timestamp,
  next_try_at: timestamp.nullable().openapi({ description: "Null if this was the delivery's last attempt." }),
});

const deliveriesSchema = z
  .object({
    deliveries: z.array(deliverySchema),
    total: z
      .int()
      .nonnegative()
      .openapi({
        description: `Number of deliveries on all pages; with a filter at most ${filteredTotalMax}.`,
      }),
    limit: z.int(),
    offset: z.int(),
  })
  .openapi("WebhookDeliveries", {
    example: {
      deliveries: [
        {
          id: "0197b1c2-9d20-7b41-8c3f-1a2b3c4d5e6f",
          event_id: "0197b1c2-9c11-7d08-b2aa-6f5e4d3c2b1a",
          type: "job_completed",
          job_id: "0197b1c2-7c1e-7a53-9f5e-3c6d1a2b4e5f",
          batch_id: null,
          try: 1,
          http_status: 503,
          error: "HTTP 503",
          created_at: 1769860809400,
          next_try_at: 1769860814650,
        },
      ],
      total: 1,
      limit: 20,
      offset: 0,
    },
  });

export const listWebhookDeliveries = defineRoute(
  createRoute({
    method: "get",
    path: "/webhooks/deliveries",
    operationId: "listWebhookDeliveries",
    summary: "List webhook deliveries",
    description:
      "The log of delivery attempts, newest first. An event is sent immediately, and then 5 s, 5 min, 30 min, 2 " +
      "h, 5 h and 10 h after the previous attempt, until the receiver responds with a 2xx.",
    tags: ["Webhooks"],
    ...needsKey,
    request: {
      query: z.object({
        job_id: idFilter("Invalid job id").openapi({ description: "Only this job's deliveries." }),
        batch_id: idFilter("Invalid batch id").openapi({ description: "Only this batch's deliveries." }),
        ...pageFields({ limitDefault: 20 }),
      }),
    },
    responses: { 200: json(deliveriesSchema, "A page of the log."), ...errors(401, 500) },
  }),
  async (c) => {
    const { job_id: jobId, batch_id: batchId, limit, offset } = c.req.valid("query");
    const page = await listDeliveries(
      c.env.database,
      c.var.account.id,
      { jobId, batchId },
      { limit, offset },
    );
    return c.json({ ...page, limit, offset }, 200);
  },
);
