import { createRoute, z } from "@hono/zod-openapi";
import { refuseBody } from "../http/read-body.ts";
import { defineRoute, errors, json, needsKey } from "../http/route.ts";
import { wakeWebhooks } from "./wake-webhooks.ts";
import { deliveryNotFound, resentRecently } from "./webhook-errors.ts";
import { sendAgain } from "./webhook-event.store.ts";

const redeliveredSchema = z
  .object({ message: z.string(), delivery_id: z.guid() })
  .openapi("WebhookRedelivered", {
    example: { message: "Delivery queued", delivery_id: "0197b1c2-9d20-7b41-8c3f-1a2b3c4d5e6f" },
  });

export const redeliverWebhook = defineRoute(
  createRoute({
    method: "post",
    path: "/webhooks/deliveries/{id}/redeliver",
    operationId: "redeliverWebhook",
    summary: "Send a webhook again",
    description:
      "Sends the event of this delivery again, immediately and with the same `webhook-id`, with the retries of a " +
      "new one. Its attempts are logged as separate deliveries. An event can be sent again once a minute.",
    tags: ["Webhooks"],
    ...needsKey,
    request: {
      params: z.object({
        id: z.guid("Invalid delivery id").toLowerCase().openapi({ description: "The delivery's id." }),
      }),
    },
    responses: {
      200: json(redeliveredSchema, "The event is due for delivery."),
      ...errors(401, 404, 413, 415, 500),
    },
  }),
  async (c) => {
    await refuseBody(c);
    const { id: deliveryId } = c.req.valid("param");
    const resent = await sendAgain(c.env, c.var.account.id, deliveryId);
    if (resent === null) throw deliveryNotFound();
    if ("waitMs" in resent) throw resentRecently(resent.waitMs);
    await wakeWebhooks(c.env, [resent.eventId]);
    return c.json({ message: "Delivery queued", delivery_id: deliveryId }, 200);
  },
);
