import type { Context } from "hono";
import type { HttpEnv } from "./http-env.ts";
import { notFound } from "./http-errors.ts";

/** Answers with the static asset of the request's path, or as for every path that is not there. */
export async function serveAsset(c: Context<HttpEnv>): Promise<Response> {
  const asset = await c.env.assets.fetch(c.req.raw);
  if (asset.status === 404) throw notFound();
  // A fetched answer's headers cannot be changed, and ours are to be added.
  return new Response(asset.body, asset);
}
