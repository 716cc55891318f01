import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { HttpEnv } from "./http-env.ts";

/** Gives every request its id, in its log lines and in its answer, and logs one line when it is answered. */
export const requestScope = createMiddleware<HttpEnv>(async (c, next) => {
  const { clock, newId } = c.env;
  const startedAt = clock();
  const requestId = newId();
  c.set("requestId", requestId);
  c.set("log", c.env.log.with({ request_id: requestId }));
  await next();
  c.header("x-request-id", requestId);
  c.var.log.info("Request answered", {
    method: c.req.method,
    path: c.req.path,
    status: c.res.status,
    ms: clock() - startedAt,
    account_id: accountId(c),
  });
});

/** Undefined where the request was refused before its key was known, or needs none. */
function accountId(c: Context<HttpEnv>): string | undefined {
  const { account }: Partial<HttpEnv["Variables"]> = c.var;
  return account?.id;
}
