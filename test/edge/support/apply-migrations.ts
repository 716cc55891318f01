import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Env } from "../../../edge/dependencies.ts";

declare global {
  namespace Cloudflare {
    interface Env extends TestEnv {}
  }
}

interface TestEnv extends Env {
  readonly TEST_MIGRATIONS: D1Migration[];
  /** Of `npm run soak`, as JSON. */
  readonly FERRY_SCHEDULES: string;
  readonly TEST_RATE_LIMIT: RateLimit;
  readonly SECOND_DB: D1Database;
}

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
