import type { OpenAPIHono } from "@hono/zod-openapi";
import type { HttpEnv } from "../http/http-env.ts";
import { swaggerSecurityHeaders } from "../http/security-headers.ts";
import { serveAsset } from "../http/serve-asset.ts";

/** Serves the interactive documentation: its page and its files, which the build adds to the static assets. */
export function addSwaggerRoutes(app: OpenAPIHono<HttpEnv>): void {
  app.get("/swagger", swaggerSecurityHeaders, serveAsset);
  app.get("/swagger/*", swaggerSecurityHeaders, serveAsset);
}
