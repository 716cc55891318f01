import { createRoute } from "@hono/zod-openapi";
import { defineRoute, errors, json, needsKey } from "../http/route.ts";
import { bucketResetSchema } from "./bucket-schema.ts";
import { leaveBucket } from "./bucket.store.ts";

export const resetBucket = defineRoute(
  createRoute({
    method: "delete",
    operationId: "resetBucket",
    path: "/user/bucket",
    summary: "Go back to managed storage",
    description:
      "Files of new jobs go to managed storage. Files in the bucket stay there, and their jobs can still link to " +
      "and delete them.",
    tags: ["Storage"],
    ...needsKey,
    responses: { 200: json(bucketResetSchema, "Managed storage is in use."), ...errors(401, 500) },
  }),
  async (c) => {
    await leaveBucket(c.env, c.var.account.id);
    return c.json({ message: "Using managed storage" }, 200);
  },
);
