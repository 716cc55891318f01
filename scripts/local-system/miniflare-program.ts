// The edge on Miniflare, until SIGTERM. Argument: a file with its settings, which only this user may read.
import { readFileSync } from "node:fs";
import type { MiniflareEdgeSettings } from "./miniflare-edge.ts";
import { runWorker } from "./miniflare.ts";

const [settingsFile = ""] = process.argv.slice(2);
const settings: MiniflareEdgeSettings = JSON.parse(readFileSync(settingsFile, "utf8"));
const worker = await runWorker(settings.bundleFolder, {
  port: settings.port,
  entryPort: settings.storagePort,
  variables: settings.variables,
  persistFolder: settings.persistFolder,
  withAssets: true,
  onLog: (line) => process.stdout.write(`${line}\n`),
});
process.once("SIGTERM", () => void worker.stop().then(() => process.exit(0)));
