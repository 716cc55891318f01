import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { HttpEnv } from "../http/http-env.ts";
import { notFound } from "../http/http-errors.ts";
import { pageSecurityHeaders } from "../http/security-headers.ts";

/** Serves the interactive documentation: its page and its files, which the build puts among the static assets. */
export function addSwaggerRoutes(app: OpenAPIHono<HttpEnv>): void {
  app.get("/swagger", pageSecurityHeaders, (c) => serveAsset(c));
  app.get("/swagger/*", pageSecurityHeaders, (c) => serveAsset(c));
}

async function serveAsset(c: Context<HttpEnv>): Promise<Response> {
  const asset = await c.env.assets.fetch(c.req.raw);
  if (asset.status === 404) throw notFound();
  // A fetched answer's headers cannot be changed, and ours are to be added.
  return new Response(asset.body, asset);
}
