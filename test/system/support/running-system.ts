import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { findFreePorts } from "../../../scripts/local-system/ports.ts";
import { repositoryRoot } from "../../repository/repository.ts";
import { watchForLeaks } from "./leaks.ts";

export interface RunningSystem {
  /** Of the edge. */
  readonly url: string;
  readonly nodeUrl: string;
  readonly apiKey: string;
  /** The outermost process, which is npm. */
  readonly pid: number;
  /** All output so far. */
  output(): string;
  /**
   * Sends the signal to the whole process group, as a terminal does, and resolves when npm has ended. Rejects if a
   * secret has leaked.
   */
  end(signal: "SIGINT" | "SIGKILL"): Promise<void>;
}

export interface Ports {
  readonly port: number;
  readonly processorPort: number;
}

export async function freePorts(): Promise<Ports> {
  const [port = 0, processorPort = 0] = await findFreePorts(2);
  return { port, processorPort };
}

/** Runs `npm start` on the folder as a user would, and resolves once it reports that it is ready. */
export async function startSystem(
  stateDir: string,
  { port, processorPort }: Ports,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningSystem> {
  const { child, output } = runNpmStart(stateDir, { port, processorPort }, environment);
  await Promise.race([
    untilPrinted(child, output, /^ready/m),
    once(child, "exit").then(() => {
      throw new Error(`npm start ended before it was ready:\n${output()}`);
    }),
  ]);
  const pid = child.pid ?? 0;
  const leaks = watchForLeaks(stateDir, () => [pid]);
  return {
    url: `http://127.0.0.1:${port}`,
    nodeUrl: `http://127.0.0.1:${processorPort}`,
    apiKey: (await readFile(join(stateDir, "demo-api-key"), "utf8")).trim(),
    pid,
    output,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      process.kill(-pid, signal);
      await exited;
      await leaks.finish();
    },
  };
}

/** Runs `npm start`, expecting it to fail; resolves with its output and exit code. */
export async function failToStart(
  stateDir: string,
  ports: Ports,
): Promise<{ code: number | null; output: string }> {
  const { child, output } = runNpmStart(stateDir, ports, {});
  await once(child, "close");
  return { code: child.exitCode, output: output() };
}

function runNpmStart(
  stateDir: string,
  { port, processorPort }: Ports,
  environment: Readonly<Record<string, string>>,
) {
  const child = spawn("npm", ["start"], {
    cwd: repositoryRoot,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      // The most verbose level, so that the search for leaked secrets covers everything.
      LOG_LEVEL: "debug",
      // Tests need no internet.
      YT_DLP_PATH: process.env["YT_DLP_PATH"] || "yt-dlp",
      // A source that always fails is waited for until this is over.
      PATIENCE_SECONDS: "3",
      ...environment,
      STATE_DIR: stateDir,
      PORT: String(port),
      PROCESSOR_PORT: String(processorPort),
    },
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  return { child, output: () => printed };
}

async function untilPrinted(child: ChildProcess, output: () => string, pattern: RegExp): Promise<void> {
  while (!pattern.test(output())) {
    if (child.stdout) await once(child.stdout, "data");
  }
}
