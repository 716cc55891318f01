import { createRoute } from "@hono/zod-openapi";
import { readBody } from "../http/read-body.ts";
import { defineRoute, errors, json, jsonBody, needsKey } from "../http/route.ts";
import { bucketConfiguredSchema, bucketRequestSchema } from "./bucket-schema.ts";
import { useBucket } from "./bucket.store.ts";
import { probeBucket } from "./probe-bucket.ts";

const publicEndpoints = bucketRequestSchema({ allowPrivateNetwork: false });
const localEndpoints = bucketRequestSchema({ allowPrivateNetwork: true });

const examples = {
  bucket: {
    summary: "Your own bucket",
    value: {
      endpoint: "https://s3.example",
      bucket: "my-media",
      region: "eu-1",
      access_key_id: "AKIDEXAMPLE",
      secret_access_key: "SecretOfTheKey",
    },
  },
};

export const configureBucket = defineRoute(
  createRoute({
    method: "post",
    operationId: "configureBucket",
    path: "/user/bucket",
    summary: "Store files in your own bucket",
    description:
      "The bucket is tested first: a small object is stored, read and deleted. From then on, the files of new " +
      "jobs are stored there. Configure it again to change its credentials, which then also apply to the files " +
      "already in it.",
    tags: ["Storage"],
    ...needsKey,
    request: { body: jsonBody(publicEndpoints, examples) },
    responses: {
      200: json(bucketConfiguredSchema, "The bucket works and is in use."),
      ...errors(401, 413, 415, 500),
    },
  }),
  async (c) => {
    const { settings } = c.env;
    const access = await readBody(c, settings.allowPrivateNetwork ? localEndpoints : publicEndpoints);
    await probeBucket(c.env, access);
    await useBucket(c.env, c.var.account.id, access);
    const { endpoint, bucket, region } = access;
    return c.json({ message: "Bucket configured", bucket: { endpoint, bucket, region } }, 200);
  },
);
