import { createRoute, z } from "@hono/zod-openapi";
import { defineRoute, errors, json, needsKey } from "../http/route.ts";
import { webhookSecret } from "./webhook-secret.store.ts";

const secretSchema = z
  .object({ secret: z.string().openapi({ description: "`whsec_` and the key in base64." }) })
  .openapi("WebhookSecret", { example: { secret: "whsec_bm90IGEgc2VjcmV0LCBvbmx5IGFuIGV4YW1wbGUhISE=" } });

export const getWebhookSecret = defineRoute(
  createRoute({
    method: "get",
    path: "/user/webhook-secret",
    operationId: "getWebhookSecret",
    summary: "Get the secret that signs webhooks",
    description:
      "Webhooks are signed according to Standard Webhooks: verify `webhook-signature` with this secret, over " +
      "`webhook-id`, `webhook-timestamp` and the body.",
    tags: ["Webhooks"],
    ...needsKey,
    responses: { 200: json(secretSchema, "The account's secret."), ...errors(401, 500) },
  }),
  async (c) => c.json({ secret: await webhookSecret(c.env, c.var.account.id) }, 200),
);
