import { drizzle } from "drizzle-orm/d1";
import { v7 as uuidv7 } from "uuid";
import type { NodeRegistry } from "./cluster/node-registry.object.ts";
import type { Registry } from "./cluster/registry.ts";
import { containerName } from "./containers/container-address.ts";
import type { NodeContainer } from "./containers/node-container.object.ts";
import { createLog, type Log } from "./log.ts";
import { createProcessorClient, type ProcessorClient } from "./processor/processor-client.ts";
import * as schema from "./schema.ts";
import { readSettings, type Settings } from "./settings.ts";
import { wait } from "./wait.ts";

/** The Worker's bindings. Variables and secrets are read by settings.ts. */
export interface Env {
  readonly DB: D1Database;
  readonly WAKE_UPS: Queue<WakeUp>;
  readonly WEBHOOKS: Queue<WebhookWakeUp>;
  readonly NODE_REGISTRY: DurableObjectNamespace<NodeRegistry>;
  /** Missing in deployments that never had containers. */
  readonly NODE_CONTAINER?: DurableObjectNamespace<NodeContainer>;
  readonly ASSETS: Fetcher;
  readonly JOB_POINTS?: AnalyticsEngineDataset;
  /** Only if the operator has configured a limit. */
  readonly KEY_RATE_LIMIT?: RateLimit;
}

/** A wake-up names no job: its consumer claims whatever is due. */
export interface WakeUp {
  readonly reason: "job_created" | "node_joined" | "sweep";
}

/** An attempt to deliver this event may be due. */
export interface WebhookWakeUp {
  readonly eventId: string;
}

export type Database = ReturnType<typeof openDatabase>;

/** Everything the edge's code needs from outside itself. Created only here; features take what they use. */
export interface Dependencies {
  readonly database: Database;
  readonly registry: Registry;
  readonly wakeUps: Queue<WakeUp>;
  readonly webhooks: Queue<WebhookWakeUp>;
  readonly assets: Fetcher;
  /** Receives a data point for each ended job; null if the deployment keeps none. */
  readonly jobPoints: AnalyticsEngineDataset | null;
  /** Counts the requests of each account; null if they are not limited. */
  readonly keyRateLimit: RateLimit | null;
  /** HTTP to addresses named by clients. */
  readonly fetch: typeof fetch;
  readonly processors: ProcessorClient;
  /** Starts the container with this name unless it is running. Rejects if the deployment has none. */
  readonly wakeContainer: (name: string) => Promise<void>;
  readonly settings: Settings;
  /**
   * Id of the event being handled: a request, a batch of messages or an alarm. It is in every log line and is sent to
   * nodes.
   */
  readonly requestId: string;
  readonly log: Log;
  /** Milliseconds since the Unix epoch. */
  readonly clock: () => number;
  /** Resolves after this many milliseconds, or as soon as the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A UUID v7, which sorts by creation time. */
  readonly newId: () => string;
  /** An unguessable token. */
  readonly newToken: () => string;
  /** In [0, 1); for spreading things out, never for secrets. */
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

/**
 * Created for each event. What is expensive to create and reusable is created once per isolate: settings and the
 * database client.
 */
export function dependenciesOf(env: Env): Dependencies {
  const clock = () => Date.now();
  const newId = () => uuidv7();
  const settings = (settingsOfIsolate ??= readSettings(env));
  const requestId = uuidv7();
  return {
    database: databaseOf(env.DB),
    // Each use gets its own stub, because a failed one must not be reused.
    get registry() {
      return env.NODE_REGISTRY.getByName("cluster");
    },
    wakeUps: env.WAKE_UPS,
    webhooks: env.WEBHOOKS,
    assets: env.ASSETS,
    jobPoints: env.JOB_POINTS ?? null,
    keyRateLimit: env.KEY_RATE_LIMIT ?? null,
    fetch: (input, init) => fetch(input, init),
    processors: createProcessorClient({
      secrets: settings.processorSecrets,
      allowPrivateNetwork: settings.allowPrivateNetwork,
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
