import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { wranglerConfig, wranglerEnvironment, wranglerProgram } from "../local-system/wrangler.ts";
import type { Counts } from "./test-report.ts";

/** Bundles the Worker as a deployment would, without one and without its container image, and prints its size. */
export async function bundleWorker(config: string = wranglerConfig): Promise<Counts> {
  const stateDir = join(tmpdir(), "ferry-bundle");
  const args = ["--no-warnings", wranglerProgram, "deploy", "--dry-run", "--containers-rollout=none"];
  const result = await execa(process.execPath, [...args, "--config", config], {
    env: wranglerEnvironment(stateDir),
    extendEnv: false,
    stdin: "ignore",
    all: true,
    reject: false,
  });
  const size = /Total Upload:.*/.exec(result.all)?.[0];
  console.log(result.failed || !size ? result.all : `The Worker bundles. ${size}`);
  return result.failed ? { passed: 0, failed: 1 } : { passed: 1, failed: 0 };
}
