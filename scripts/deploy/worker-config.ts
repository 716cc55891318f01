import { z } from "zod";

/** The parts of wrangler.toml that are read and changed here; the rest is passed on. */
const workerConfigSchema = z.looseObject({
  name: z.string(),
  d1_databases: z.tuple([z.looseObject({ database_name: z.string(), database_id: z.string().optional() })]),
  queues: z.looseObject({
    producers: z.array(z.looseObject({ queue: z.string() })),
    consumers: z.array(z.looseObject({ queue: z.string() })),
  }),
  durable_objects: z.looseObject({ bindings: z.array(z.looseObject({ class_name: z.string() })) }),
  migrations: z.array(z.looseObject({ new_sqlite_classes: z.array(z.string()) })),
  r2_buckets: z.tuple([z.looseObject({ bucket_name: z.string(), local_dev: z.unknown().optional() })]),
});
export type WorkerConfig = z.infer<typeof workerConfigSchema>;

const tomlSchema = workerConfigSchema.extend({
  dev: z.unknown(),
  containers: z.tuple([z.looseObject({ class_name: z.string() })]),
});

/** Nodes in Cloudflare Containers. */
export interface ContainerSettings {
  readonly max: number;
  /** One of Cloudflare's, such as standard-2; null: wrangler.toml's. */
  readonly instanceType: string | null;
  /** An image that a registry already has; null: built here from processor/Dockerfile. */
  readonly image: string | null;
  /** Build arguments. */
  readonly buildArguments: Readonly<Record<string, string>>;
}

export interface Deployment {
  /** `production`, or another name, which is then part of every resource's name. */
  readonly environment: string;
  readonly variables: Readonly<Record<string, string>>;
  /** The Worker's own domain instead of one under workers.dev. */
  readonly domain: string | null;
  /** Null: this deployment's nodes are elsewhere. */
  readonly containers: ContainerSettings | null;
}

export const productionEnvironment = "production";

/** The names of a deployment's resources in the account. */
export interface ResourceNames {
  readonly worker: string;
  readonly database: string;
  readonly bucket: string;
  readonly queues: readonly string[];
}

/**
 * The configuration of one deployment, derived from the common wrangler.toml. The database is referred to by name,
 * which wrangler looks up in the account, so that no id is stored anywhere and any machine can deploy.
 */
export function deployedConfig(
  toml: unknown,
  { environment, variables, domain, containers: settings }: Deployment,
): WorkerConfig & { vars: Readonly<Record<string, string>> } {
  const { dev: _, containers, ...base } = tomlSchema.parse(renamed(toml, environment));
  const [{ database_id: __, ...database }] = base.d1_databases;
  const [{ local_dev: ___, ...bucket }] = base.r2_buckets;
  return {
    ...(settings === null
      ? withoutClass(base, containers[0].class_name)
      : { ...base, containers: [{ ...containers[0], ...containerFields(settings) }] }),
    d1_databases: [database],
    r2_buckets: [bucket],
    ...(domain !== null && { routes: [{ pattern: domain, custom_domain: true }] }),
    vars: { STORAGE_BUCKET: bucket.bucket_name, ...variables },
  };
}

function containerFields({ max, instanceType, image, buildArguments }: ContainerSettings): object {
  return {
    max_instances: Math.max(1, max),
    ...(instanceType !== null && { instance_type: instanceType }),
    ...(image === null ? { image_vars: buildArguments } : { image, image_build_context: undefined }),
  };
}

/**
 * A class whose objects were created without containers can never have any, so it is deployed only if there are to be
 * some. Its migration is the last one, since others could not be left out.
 */
function withoutClass(config: WorkerConfig, className: string): WorkerConfig {
  const { bindings } = config.durable_objects;
  return {
    ...config,
    durable_objects: { bindings: bindings.filter(({ class_name }) => class_name !== className) },
    migrations: config.migrations.filter((step) => !step.new_sqlite_classes.includes(className)),
  };
}

/** The names of everything that a configuration refers to in the account. */
export function resourceNames(config: WorkerConfig): ResourceNames {
  const { producers, consumers } = config.queues;
  const queues = [...producers, ...consumers].map(({ queue }) => queue);
  return {
    worker: config.name,
    database: config.d1_databases[0].database_name,
    bucket: config.r2_buckets[0].bucket_name,
    queues: [...new Set(queues)].sort(),
  };
}

/**
 * Every name that starts with the Worker's gets the environment after it: `ferry-jobs` becomes `ferry-staging-jobs`.
 */
export function nameIn(environment: string, name: string): string {
  if (environment === productionEnvironment) return name;
  return name.replace(/^ferry(?=$|([-_]))/, (_, separator = "-") => `ferry${separator}${environment}`);
}

function renamed(value: unknown, environment: string): unknown {
  if (typeof value === "string") return nameIn(environment, value);
  if (Array.isArray(value)) return value.map((item) => renamed(item, environment));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renamed(item, environment)]));
}
