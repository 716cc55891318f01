import { createMiddleware } from "hono/factory";
import type { HttpEnv } from "./http-env.ts";
import { headersTooLarge, urlTooLong } from "./http-errors.ts";

/** Room for a list's longest filter with every character percent-encoded; the platform's own limit. */
const urlMaxBytes = 16 * 1024;
/** Names and values together. */
const headersMaxBytes = 32 * 1024;

/** Rejects a request whose URL or headers are larger than any legitimate one, before anything else reads them. */
export const limitRequestHead = createMiddleware<HttpEnv>(async (c, next) => {
  if (c.req.url.length > urlMaxBytes) throw urlTooLong(urlMaxBytes);
  if (sizeOf(c.req.raw.headers) > headersMaxBytes) throw headersTooLarge(headersMaxBytes);
  await next();
});

function sizeOf(headers: Headers): number {
  let bytes = 0;
  for (const [name, value] of headers) bytes += name.length + value.length;
  return bytes;
}
