import { createRoute, z } from "@hono/zod-openapi";
import { refuseBody } from "../http/read-body.ts";
import { defineRoute, errors, json, needsKey } from "../http/route.ts";
import { rotateWebhookSecret } from "./webhook-secret.store.ts";

const rotatedSchema = z
  .object({
    secret: z.string().openapi({ description: "The new secret." }),
    previous_valid_until: z.int().openapi({
      description:
        "Until when the previous secret is also used for signing. Milliseconds since the Unix epoch.",
    }),
  })
  .openapi("WebhookSecretRotated", {
    example: {
      secret: "whsec_bm90IGEgc2VjcmV0LCBvbmx5IGFuIGV4YW1wbGUhISE=",
      previous_valid_until: 1769947200000,
    },
  });

export const rotateSecret = defineRoute(
  createRoute({
    method: "post",
    path: "/user/webhook-secret/rotate",
    operationId: "rotateWebhookSecret",
    summary: "Replace the secret that signs webhooks",
    description:
      "For 24 hours, webhooks also carry a signature with the previous secret, so that receivers can switch " +
      "without missing any. After several rotations within that time, up to ten previous secrets sign.",
    tags: ["Webhooks"],
    ...needsKey,
    responses: { 200: json(rotatedSchema, "The new secret."), ...errors(401, 413, 415, 500) },
  }),
  async (c) => {
    await refuseBody(c);
    const { secret, previousValidUntil } = await rotateWebhookSecret(c.env, c.var.account.id);
    return c.json({ secret, previous_valid_until: previousValidUntil }, 200);
  },
);
