import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { wranglerConfig, wranglerEnvironment, wranglerProgram } from "../local-system/wrangler.ts";
import type { Counts } from "./test-report.ts";

// Without the container's image, which would take Docker.
const withoutImage = "--containers-rollout=none";

/** Bundles the Worker as a deployment would, and prints its size and how long it takes to start here. */
export async function bundleWorker(config: string = wranglerConfig): Promise<Counts> {
  const folder = await mkdtemp(join(tmpdir(), "ferry-bundle-"));
  const wrangler = async (...args: readonly string[]): Promise<{ failed: boolean; printed: string }> => {
    const result = await execa(
      process.execPath,
      ["--no-warnings", wranglerProgram, ...args, "--config", config],
      {
        env: wranglerEnvironment(folder),
        extendEnv: false,
        stdin: "ignore",
        all: true,
        reject: false,
      },
    );
    return { failed: result.failed, printed: result.all };
  };
  try {
    const bundled = await wrangler("deploy", "--dry-run", withoutImage);
    const profile = join(folder, "startup.cpuprofile");
    const started = await wrangler("check", "startup", "--outfile", profile, `--args=${withoutImage}`);
    const size = /Total Upload: (.*)/.exec(bundled.printed)?.[1];
    const active = /Active: ([\d.]+ ms)/.exec(started.printed)?.[1];
    const isWell = !bundled.failed && !started.failed && size !== undefined && active !== undefined;
    console.log(
      isWell
        ? `The Worker's bundle: ${size}; it starts in ${active} of CPU time here`
        : `${bundled.printed}\n${started.printed}`,
    );
    return isWell ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  } finally {
    await rm(folder, { recursive: true });
  }
}
