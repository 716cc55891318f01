import { createRoute } from "@hono/zod-openapi";
import { defineRoute, errors, json, needsKey } from "../http/route.ts";
import { currentBucketSchema } from "./bucket-schema.ts";
import { findBucket } from "./bucket.store.ts";

export const getBucket = defineRoute(
  createRoute({
    method: "get",
    operationId: "getBucket",
    path: "/user/bucket",
    summary: "Get the bucket that files go to",
    description: "The configuration without its credentials, or `null` while files go to managed storage.",
    tags: ["Storage"],
    ...needsKey,
    responses: { 200: json(currentBucketSchema, "The bucket for new jobs."), ...errors(401, 500) },
  }),
  async (c) => {
    const location = await findBucket(c.env, c.var.account.id);
    if (location === null) return c.json({ bucket: null }, 200);
    const { endpoint, bucket, region, forcePathStyle } = location;
    return c.json({ bucket: { endpoint, bucket, region, force_path_style: forcePathStyle } }, 200);
  },
);
