import { createMiddleware } from "hono/factory";
import type { HttpEnv } from "../http/http-env.ts";
import { tooManyRequests } from "./account-errors.ts";

/**
 * The period of the limit in wrangler.toml. Its counter only says whether a request is allowed, not when the next one
 * will be.
 */
const periodSeconds = 10;

/**
 * Answers 429 to requests beyond the deployment's limit per key, if it has one. Comes after `authenticate`: the account
 * is counted, so rotating a key does not reset the count. Stateless.
 */
export const limitRate = createMiddleware<HttpEnv>(async (c, next) => {
  const { keyRateLimit } = c.env;
  if (keyRateLimit !== null) {
    const { success } = await keyRateLimit.limit({ key: c.var.account.id });
    if (!success) throw tooManyRequests(periodSeconds);
  }
  await next();
});
