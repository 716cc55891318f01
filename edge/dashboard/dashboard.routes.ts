import type { OpenAPIHono } from "@hono/zod-openapi";
import type { HttpEnv } from "../http/http-env.ts";
import { dashboardSecurityHeaders } from "../http/security-headers.ts";
import { serveAsset } from "../http/serve-asset.ts";

/** The files' names contain a hash of their content. */
const forever = "public, max-age=31536000, immutable";

/** Serves the web dashboard: its page, and the files that the build of `dashboard/` adds to the static assets. */
export function addDashboardRoutes(app: OpenAPIHono<HttpEnv>): void {
  app.get("/dashboard", dashboardSecurityHeaders, serveAsset);
  app.get("/dashboard/", (c) => c.redirect("/dashboard"));
  app.get("/dashboard/assets/*", dashboardSecurityHeaders, async (c) => {
    const answer = await serveAsset(c);
    answer.headers.set("cache-control", forever);
    return answer;
  });
}
