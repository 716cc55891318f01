import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare, Response, type V4WorkerOptions } from "miniflare";
import { localHost } from "./ports.ts";
import { bundleFiles } from "./worker-bundle.ts";

export interface WorkerSettings {
  /** Where the Worker itself listens; 0: on any free port. */
  readonly port: number;
  /** Where Miniflare's own entry listens, which also serves the local bucket; 0: on any free port. */
  readonly entryPort: number;
  /** Variables and secrets. */
  readonly variables: Readonly<Record<string, string>>;
  /** Where D1, R2, Durable Objects and queues are kept, as by wrangler. */
  readonly persistFolder: string;
  /** False: the Worker finds no static assets, and nothing that would serve them is in front of it. */
  readonly withAssets: boolean;
  /** Called with each line that the Worker logs. */
  readonly onLog: (line: string) => void;
}

export interface RunningWorker {
  /** The Worker itself. */
  readonly url: string;
  /** The Worker behind Miniflare's entry. */
  readonly entryUrl: string;
  stop(): Promise<void>;
}

/**
 * Runs a bundled Worker (`bundleFolder`, of `worker-bundle.ts`) in workerd with everything it is bound to, on this
 * machine. The only file that knows Miniflare, whose interface is not settled. Its entry serves each object of the local
 * bucket without a key to whoever finds its port, so that port is never a known one.
 */
export async function runWorker(
  bundleFolder: string,
  { port, entryPort, variables, persistFolder, withAssets, onLog }: WorkerSettings,
): Promise<RunningWorker> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...(await readOptions(bundleFolder, withAssets)),
      name: "ferry",
      rootPath: bundleFolder,
      modules: true,
      scriptPath: bundleFiles.worker,
      bindings: { ...variables },
      host: localHost,
      port: entryPort,
      unsafeDirectSockets: [{ host: localHost, port }],
      resourcePersistencePath: join(persistFolder, "v3"),
      handleStructuredLogs: ({ message }) => onLog(message),
    }),
  );
  try {
    const { origin: entryUrl } = await miniflare.ready;
    const { origin: url } = await miniflare.unsafeGetDirectURL();
    return { url, entryUrl, stop: () => miniflare.dispose() };
  } catch (error) {
    await miniflare.dispose();
    throw error;
  }
}

/** Without wrangler's rules for modules: it has bundled them. */
async function readOptions(bundleFolder: string, withAssets: boolean) {
  const text = await readFile(join(bundleFolder, bundleFiles.options), "utf8");
  const { assets, modulesRules: _, ...options }: V4WorkerOptions = JSON.parse(text);
  const noAssets = { serviceBindings: { ASSETS: () => new Response(null, { status: 404 }) } };
  return { ...options, ...(withAssets && assets ? { assets } : noAssets) };
}
