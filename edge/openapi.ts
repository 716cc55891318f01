import type { OpenAPIHono } from "@hono/zod-openapi";
import packageFile from "../package.json" with { type: "json" };
import type { HttpEnv } from "./http/http-env.ts";

const about = {
  openapi: "3.1.0",
  info: {
    title: "Ferry",
    version: packageFile.version,
    description:
      "Send Ferry a media URL and get the finished file in object storage. Timestamps are milliseconds since the " +
      "Unix epoch, ids are UUIDs, and every response has an `x-request-id`.",
    license: { name: "MIT", identifier: "MIT" },
  },
  servers: [{ url: "/", description: "This deployment" }],
  tags: [
    { name: "Jobs", description: "Create download jobs and follow them to their files." },
    { name: "Batches", description: "Jobs that were created together." },
    { name: "Dashboard", description: "What the web dashboard shows." },
    { name: "Webhooks", description: "Be notified when a job or batch has ended." },
    { name: "Storage", description: "Where files go." },
    { name: "Usage", description: "What the account has used." },
    { name: "Service", description: "The service itself." },
  ],
};

/** The OpenAPI document of the routes that the app has now. */
export function openApiDocument(app: OpenAPIHono<HttpEnv>) {
  return app.getOpenAPI31Document(about);
}

/** Publishes the routes that the app has at the time of the first request. */
export function addOpenApiRoute(app: OpenAPIHono<HttpEnv>): void {
  app.openAPIRegistry.registerComponent("securitySchemes", "apiKey", {
    type: "apiKey",
    in: "header",
    name: "x-api-key",
    description: "The account's key: `sk_` and 29 letters and digits. For backend code only.",
  });
  let text: string | null = null;
  app.get("/openapi.json", (c) => {
    text ??= JSON.stringify(openApiDocument(app));
    return c.body(text, 200, { "content-type": "application/json" });
  });
}
