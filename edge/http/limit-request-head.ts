import { createMiddleware } from "hono/factory";
import type { HttpEnv } from "./http-env.ts";
import { headersTooLarge, urlTooLong } from "./http-errors.ts";

/** Room for the longest filter of a list with every character percent-encoded; what the platform takes in all. */
const urlMaxBytes = 16 * 1024;
/** Names and values together. */
const headersMaxBytes = 32 * 1024;

/** Refuses a request whose URL or headers are larger than any that is meant, before anything else reads them. */
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
