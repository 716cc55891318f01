import { createMiddleware } from "hono/factory";
import type { HttpEnv } from "../http/http-env.ts";
import { tooManyRequests } from "./account-errors.ts";

/** The period of the limit in wrangler.toml; its counter says only whether there is room, not when there will be. */
const periodSeconds = 10;

/**
 * Answers 429 to a request beyond the deployment's limit for each key, where it has one. Stands behind `authenticate`:
 * counted is the account, so that a key that was rotated begins with no fresh count. Keeps no state of its own.
 */
export const limitRate = createMiddleware<HttpEnv>(async (c, next) => {
  const { keyRateLimit } = c.env;
  if (keyRateLimit !== null) {
    const { success } = await keyRateLimit.limit({ key: c.var.account.id });
    if (!success) throw tooManyRequests(periodSeconds);
  }
  await next();
});
