import { existsSync, readdirSync, readFileSync } from "node:fs";
import { systemErrorCode } from "../../../scripts/system-error.ts";

const lookMs = 200;

export interface SeenArguments {
  /** Stops looking; every command line that was seen. */
  stop(): readonly string[];
}

/** Looks at the command line of all that descends from a process, while it runs. Sees nothing where there is no /proc. */
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

/** Its program's name, in brackets, may hold anything. */
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
