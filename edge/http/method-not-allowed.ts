import type { Hono } from "hono";
import type { HttpEnv } from "./http-env.ts";
import { methodNotAllowed } from "./http-errors.ts";

/** Answers 405 on every path that has routes, for all other methods. Call it after the last route. */
export function refuseOtherMethods(app: Hono<HttpEnv>): void {
  const methodsOf = new Map<string, Set<string>>();
  for (const { path, method } of app.routes) {
    // Middleware is registered for all methods and does not make a path exist.
    if (method === "ALL") continue;
    const methods = methodsOf.get(path) ?? new Set();
    methods.add(method);
    if (method === "GET") methods.add("HEAD");
    methodsOf.set(path, methods);
  }
  for (const [path, methods] of methodsOf) {
    app.all(path, () => {
      throw methodNotAllowed([...methods]);
    });
  }
}
