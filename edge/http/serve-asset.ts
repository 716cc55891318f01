import type { Context } from "hono";
import type { HttpEnv } from "./http-env.ts";
import { notFound } from "./http-errors.ts";

/** Answers with the static asset at the request's path, or as for any path that does not exist. */
export async function serveAsset(c: Context<HttpEnv>): Promise<Response> {
  const asset = await c.env.assets.fetch(c.req.raw);
  if (asset.status === 404) throw notFound();
  // A fetched response's headers are immutable, and ours have to be added.
  return new Response(asset.body, asset);
}
