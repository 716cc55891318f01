import type { NodeRegistry } from "./cluster/node-registry.object.ts";
import type { Env } from "./dependencies.ts";

// The parts that a growing deployment may need several of. Each is chosen by one function in this file; nothing else
// knows that there is only one. The limits are in docs/architecture.md.

/**
 * The database that holds an account's rows: one D1 database can take about ten million jobs. Splitting accounts over
 * several starts here.
 */
export function chooseDatabase(env: Env): D1Database {
  return env.DB;
}

/**
 * The registry of live nodes: one object can take about 500 heartbeats a second. One registry per region would start
 * here. Each use gets its own stub, because a failed one must not be reused.
 */
export function chooseRegistry(env: Env): DurableObjectStub<NodeRegistry> {
  return env.NODE_REGISTRY.get(env.NODE_REGISTRY.idFromName("cluster"));
}

/** The queues for wake-ups: one takes 5,000 messages a second. Using several starts here. */
export function chooseQueues(env: Env): { wakeUps: Env["WAKE_UPS"]; webhooks: Env["WEBHOOKS"] } {
  return { wakeUps: env.WAKE_UPS, webhooks: env.WEBHOOKS };
}
