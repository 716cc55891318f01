import { drizzle } from "drizzle-orm/d1";
import { v7 as uuidv7 } from "uuid";
import type { NodeRegistry } from "./cluster/node-registry.object.ts";
import { containerName } from "./containers/container-address.ts";
import type { NodeContainer } from "./containers/node-container.object.ts";
import { createLog, type Log } from "./log.ts";
import { createProcessorClient, type ProcessorClient } from "./processor/processor-client.ts";
import * as schema from "./schema.ts";
import { readSettings, type Settings } from "./settings.ts";
import { chooseDatabase, chooseQueues, chooseRegistry } from "./shards.ts";
import { wait } from "./wait.ts";

/** The Worker's bindings. Variables and secrets are read by settings.ts. */
export interface Env {
  readonly DB: D1Database;
  readonly WAKE_UPS: Queue<WakeUp>;
  readonly WEBHOOKS: Queue<WebhookWakeUp>;
  readonly NODE_REGISTRY: DurableObjectNamespace<NodeRegistry>;
  /** Missing where a deployment never had containers. */
  readonly NODE_CONTAINER?: DurableObjectNamespace<NodeContainer>;
  readonly ASSETS: Fetcher;
  readonly JOB_POINTS?: AnalyticsEngineDataset;
  /** Only where the operator has configured a limit. */
  readonly KEY_RATE_LIMIT?: RateLimit;
}

/** A wake-up names no job: whoever gets it claims what is due. */
export interface WakeUp {
  readonly reason: "job_created" | "node_joined" | "sweep";
}

/** A try of this event may be due. */
export interface WebhookWakeUp {
  readonly eventId: string;
}

export type Database = ReturnType<typeof openDatabase>;

/** Everything the edge's code needs from outside itself. Made here alone; features take what they use. */
export interface Dependencies {
  readonly database: Database;
  readonly registry: DurableObjectStub<NodeRegistry>;
  readonly wakeUps: Queue<WakeUp>;
  readonly webhooks: Queue<WebhookWakeUp>;
  readonly assets: Fetcher;
  /** A point for each ended job; null: the deployment keeps none. */
  readonly jobPoints: AnalyticsEngineDataset | null;
  /** Counts the requests of each account; null where they are not limited. */
  readonly keyRateLimit: RateLimit | null;
  /** HTTP to addresses that clients have named. */
  readonly fetch: typeof fetch;
  readonly processors: ProcessorClient;
  /** Starts the container of this name unless it runs. Rejects where the deployment has none. */
  readonly wakeContainer: (name: string) => Promise<void>;
  readonly settings: Settings;
  /** Of the event that this is done for: a request, some messages, an alarm. In each line of the log, and told to nodes. */
  readonly requestId: string;
  readonly log: Log;
  /** Milliseconds since the Unix epoch. */
  readonly clock: () => number;
  /** Resolves after so many milliseconds, or as soon as the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** UUID v7: sorts by creation. */
  readonly newId: () => string;
  /** An unguessable token. */
  readonly newToken: () => string;
  /** At least 0, less than 1; for spreading things out, never for secrets. */
  readonly random: () => number;
}

function openDatabase(binding: D1Database) {
  return drizzle(binding, { schema });
}

const openDatabases = new WeakMap<D1Database, Database>();

function databaseOf(binding: D1Database): Database {
  const database = openDatabases.get(binding) ?? openDatabase(binding);
  openDatabases.set(binding, database);
  return database;
}

let settingsOfIsolate: Settings | undefined;

/** Made for each event. What costs time to make and can be kept is made once an isolate: settings, and the database. */
export function dependenciesOf(env: Env): Dependencies {
  const clock = () => Date.now();
  const newId = () => uuidv7();
  const settings = (settingsOfIsolate ??= readSettings(env));
  const requestId = uuidv7();
  return {
    database: databaseOf(chooseDatabase(env)),
    get registry() {
      return chooseRegistry(env);
    },
    ...chooseQueues(env),
    assets: env.ASSETS,
    jobPoints: env.JOB_POINTS ?? null,
    keyRateLimit: env.KEY_RATE_LIMIT ?? null,
    fetch: (input, init) => fetch(input, init),
    processors: createProcessorClient({
      secrets: settings.processorSecrets,
      requestId,
      clock,
      newId,
      fetchNode: (address, request) => fetchNode(env, address, request),
    }),
    wakeContainer: (name) => keeperOf(env, name).wake(name),
    settings,
    requestId,
    log: createLog(settings.logLevel, clock).with({ request_id: requestId }),
    clock,
    wait,
    newId,
    newToken: () => crypto.randomUUID(),
    random: () => Math.random(),
  };
}

function fetchNode(env: Env, address: string, request: Request): Promise<Response> {
  const name = containerName(address);
  return name === null ? fetch(request) : keeperOf(env, name).fetch(request);
}

function keeperOf(env: Env, name: string): DurableObjectStub<NodeContainer> {
  if (env.NODE_CONTAINER === undefined) throw new Error("This deployment has no containers");
  return env.NODE_CONTAINER.getByName(name);
}
