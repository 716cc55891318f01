import { existsSync, readdirSync, readFileSync } from "node:fs";
import { systemErrorCode } from "../../../scripts/system-error.ts";

const lookMs = 200;

export interface SeenArguments {
  /** Stops watching and returns every command line seen. */
  stop(): readonly string[];
}

/** Polls the command lines of all descendants of a process. Sees nothing on systems without /proc. */
export function watchArguments(ancestor: number): SeenArguments {
  const seen = new Set<string>();
  const looking = setInterval(() => {
    for (const pid of descendants(ancestor)) seen.add(read(pid, "cmdline").replaceAll("\0", " "));
  }, lookMs);
  looking.unref();
  return {
    stop() {
      clearInterval(looking);
      return [...seen];
    },
  };
}

function descendants(ancestor: number): Set<number> {
  if (!existsSync("/proc/self/stat")) return new Set();
  const parents = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), parentOf(Number(name))]),
  );
  const isDescendant = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === ancestor || isDescendant(parents.get(pid)));
  return new Set([...parents.keys()].filter((pid) => pid !== ancestor && isDescendant(pid)));
}

/** The program's name, in brackets, can contain any character. */
function parentOf(pid: number): number | undefined {
  const [, parent] = /\) \S (\d+) [^)]*$/.exec(read(pid, "stat")) ?? [];
  return parent === undefined ? undefined : Number(parent);
}

/** Empty for a process that has ended. */
function read(pid: number, file: "cmdline" | "stat"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes(systemErrorCode(error) ?? "")) return "";
    throw error;
  }
}
