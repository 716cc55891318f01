import { writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { madeOnce } from "./made-once.ts";
import { wranglerConfig, wranglerEnvironment, wranglerProgram } from "./wrangler.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const worker = join(root, "edge", "worker.ts");
/** Everything that a bundle depends on, besides its entry's own folder. */
const inputs = ["edge/**/*", "contracts/**/*", "package.json", "package-lock.json", "wrangler.toml"];
// Without the container's image, which would take Docker.
const withoutImage = "--containers-rollout=none";

/** The files of a bundle's folder. */
export const bundleFiles = {
  worker: "worker.js",
  /** What the Worker is bound to, as wrangler reads it from `wrangler.toml`. */
  options: "options.json",
} as const;

/**
 * The folder of the Worker at `entry`, the edge's own by default, as a deployment bundles it, made unless nothing has
 * changed since the last time. The static assets have to be built already.
 */
export function bundledWorker(entry: string = worker): Promise<string> {
  const own = `${relative(root, dirname(entry))}/**/*`;
  return madeOnce("worker", [...inputs, own], (folder) => bundle(entry, folder));
}

async function bundle(entry: string, folder: string): Promise<void> {
  const target = ["--dry-run", withoutImage, "--outdir", folder, "--config", wranglerConfig];
  await execa(process.execPath, ["--no-warnings", wranglerProgram, "deploy", entry, ...target], {
    env: wranglerEnvironment(folder),
    extendEnv: false,
    stdin: "ignore",
  });
  // Only here, since loading wrangler takes longer than everything else at a start.
  const { unstable_getMiniflareWorkerOptions: readWorkerOptions } = await import("wrangler");
  const { workerOptions } = readWorkerOptions(wranglerConfig);
  await writeFile(join(folder, bundleFiles.options), JSON.stringify(workerOptions));
}
