import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { requestIdHeader } from "../../contracts/request-id.ts";
import type { HttpEnv } from "./http-env.ts";

/** Gives every response its request's id, and logs one line when it is ready. */
export const requestScope = createMiddleware<HttpEnv>(async (c, next) => {
  const { clock, log, requestId } = c.env;
  const startedAt = clock();
  await next();
  c.header(requestIdHeader, requestId);
  log.info("Request answered", {
    method: c.req.method,
    path: c.req.path,
    status: c.res.status,
    ms: clock() - startedAt,
    account_id: accountId(c),
  });
});

/** Undefined if the request was rejected before its key was checked, or needs none. */
function accountId(c: Context<HttpEnv>): string | undefined {
  const { account }: Partial<HttpEnv["Variables"]> = c.var;
  return account?.id;
}
