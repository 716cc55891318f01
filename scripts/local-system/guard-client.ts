import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Problem } from "../problem.ts";

export interface Guard {
  /** Has the process group killed should this process die. */
  watch(leader: number): void;
  forget(leader: number): void;
  /** Releases the state folder; resolves when that is done. */
  release(): Promise<void>;
}

const guardScript = fileURLToPath(new URL("guard.ts", import.meta.url));
const quickAnswerMs = 1000;

/**
 * Locks the state folder for this process until `release` or its death. Waits for a killed system's guard to clean up;
 * throws a Problem if another system is using the folder.
 */
export async function startGuard(stateDir: string): Promise<Guard> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", guardScript, stateDir], {
    detached: true,
    env: {},
    stdio: ["pipe", "pipe", "inherit"],
  });
  const gone = once(child, "exit");
  const explain = setTimeout(
    () => console.log(`Waiting for the system that ran on ${stateDir} to end …`),
    quickAnswerMs,
  );
  const [answer] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), gone]);
  clearTimeout(explain);
  if (answer !== "held") {
    throw new Problem(
      `${stateDir} is in use by another running system. Stop that one, or choose another folder with STATE_DIR=<folder>.`,
    );
  }
  return {
    watch: (leader) => void child.stdin.write(`+${leader}\n`),
    forget: (leader) => void child.stdin.write(`-${leader}\n`),
    release: async () => {
      child.stdin.end();
      await gone;
    },
  };
}
