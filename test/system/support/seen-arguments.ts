import { readdirSync, readFileSync } from "node:fs";
import { systemErrorCode } from "../../../scripts/system-error.ts";

const lookMs = 200;

export interface SeenArguments {
  /** Stops watching and returns every command line seen. */
  stop(): readonly string[];
}

/**
 * Polls the command lines of processes and all their descendants; `roots` is asked for them each time, since programs
 * are restarted. Sees nothing on systems without /proc.
 */
export function watchArguments(roots: () => readonly (number | undefined)[]): SeenArguments {
  const seen = new Set<string>();
  const looking = setInterval(() => {
    for (const root of roots()) {
      for (const pid of root === undefined ? [] : [root, ...descendants(root)])
        seen.add(read(`${pid}/cmdline`).replaceAll("\0", " "));
    }
  }, lookMs);
  looking.unref();
  return {
    stop() {
      clearInterval(looking);
      return [...seen];
    },
  };
}

/** Only these are read, not every process of the machine; the system lists children by the thread that started them. */
function descendants(pid: number): number[] {
  const children = threads(pid).flatMap((thread) =>
    read(`${pid}/task/${thread}/children`).split(" ").filter(Boolean).map(Number),
  );
  return [...children, ...children.flatMap(descendants)];
}

function threads(pid: number): string[] {
  return ifThere(() => readdirSync(`/proc/${pid}/task`)) ?? [];
}

function read(file: string): string {
  return ifThere(() => readFileSync(`/proc/${file}`, "utf8")) ?? "";
}

/** Undefined for a process that has ended. */
function ifThere<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes(systemErrorCode(error) ?? "")) return undefined;
    throw error;
  }
}
