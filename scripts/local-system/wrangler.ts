import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inheritedEnvironment } from "./inherited-environment.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Wrangler's own program, without the launcher in front of it, which would be one more process to end. */
export const wranglerProgram = join(root, "node_modules", "wrangler", "wrangler-dist", "cli.js");
export const wranglerConfig = join(root, "wrangler.toml");

/** Where wrangler keeps D1, R2, Durable Objects and queues of a state folder. */
export const persistFolder = (stateDir: string): string => join(stateDir, "wrangler");

/** Isolates wrangler: no telemetry, no look-ups, nothing shared with the user's other systems. */
export function wranglerEnvironment(stateDir: string): Record<string, string> {
  return {
    ...inheritedEnvironment(),
    CI: "true",
    NO_COLOR: "1",
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_SEND_ERROR_REPORTS: "false",
    WRANGLER_WRITE_LOGS: "false",
    WRANGLER_HIDE_BANNER: "true",
    WRANGLER_REGISTRY_PATH: join(stateDir, "wrangler-registry"),
    WRANGLER_CI_DISABLE_CONFIG_WATCHING: "true",
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
    // The explorer would let any program on this machine read and change the database without a key.
    X_LOCAL_EXPLORER: "false",
    // Wrangler would write a trace of each request and query into a database that nobody reads.
    X_LOCAL_OBSERVABILITY: "false",
  };
}
