import type { NodeRegistry } from "./cluster/node-registry.object.ts";
import type { Env } from "./dependencies.ts";

// The parts of which a growing deployment comes to need several. Each is chosen by one function, here alone; nothing
// else knows that there is one of it. The ceilings are in docs/architecture.md.

/** Where an account's rows are: about ten million jobs fit into one D1 database. A database a group of accounts begins here. */
export function chooseDatabase(env: Env): D1Database {
  return env.DB;
}

/**
 * Who knows the live nodes: one object hears about 500 heartbeats a second. A registry a region begins here. Each use
 * gets a stub of its own, because one that has failed is not to be used again.
 */
export function chooseRegistry(env: Env): DurableObjectStub<NodeRegistry> {
  return env.NODE_REGISTRY.get(env.NODE_REGISTRY.idFromName("cluster"));
}

/** Which queues carry the wake-ups: one takes 5,000 messages a second. Several begin here. */
export function chooseQueues(env: Env): { wakeUps: Env["WAKE_UPS"]; webhooks: Env["WEBHOOKS"] } {
  return { wakeUps: env.WAKE_UPS, webhooks: env.WEBHOOKS };
}
