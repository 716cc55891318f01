import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { edgeUrl, edgeVariables } from "./edge.ts";
import type { EdgeRunner } from "./edge-runner.ts";
import { inheritedEnvironment } from "./inherited-environment.ts";
import { findFreePorts, localHost } from "./ports.ts";
import { writePrivateFile } from "./secrets.ts";
import { bundledWorker } from "./worker-bundle.ts";
import { persistFolder } from "./wrangler.ts";

const program = fileURLToPath(new URL("miniflare-program.ts", import.meta.url));

/** What `miniflare-program.ts` reads from its settings file. */
export interface MiniflareEdgeSettings {
  readonly port: number;
  /** Of the local bucket's S3 interface. */
  readonly storagePort: number;
  readonly bundleFolder: string;
  readonly persistFolder: string;
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Runs the edge on Miniflare, ready in about a second: from a bundle that is made once, and without the proxies of
 * `wrangler dev`. Its bucket has an address of its own.
 */
export const onMiniflare: EdgeRunner = {
  async describe(settings, secret, logFile) {
    const { stateDir, port } = settings;
    const [storagePort = 0] = await findFreePorts(1);
    const storageUrl = `http://${localHost}:${storagePort}`;
    const settingsFile = join(stateDir, "edge.json");
    const wanted: MiniflareEdgeSettings = {
      port,
      storagePort,
      bundleFolder: await bundledWorker(),
      persistFolder: persistFolder(stateDir),
      variables: await edgeVariables(settings, secret, storageUrl),
    };
    await writePrivateFile(settingsFile, JSON.stringify(wanted));
    const env = { ...inheritedEnvironment(), NO_COLOR: "1" };
    const args = ["--no-warnings", program, settingsFile];
    return {
      program: { name: "The edge", file: process.execPath, args, env, logFile },
      url: edgeUrl(settings),
      storageUrl,
    };
  },
};
