import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** What a process and its descendants use. */
export interface TreeUse {
  /** Their proportional share of memory (PSS). */
  readonly memoryBytes: number;
  /** CPU seconds since they started, including ended children. */
  readonly cpuSeconds: number;
}

const ticksPerSecond = 100;

/** The process on this machine whose command line contains all of `words`. Throws if there is none. */
export async function findProcess(...words: readonly string[]): Promise<number> {
  for (const pid of await processIds()) {
    const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
    if (words.every((word) => line.includes(word) || environment.includes(word))) return pid;
  }
  throw new Error(`no process runs ${words.join(" ")}`);
}

/** What a process and its descendants use now. Reads /proc. */
export async function useOf(root: number): Promise<TreeUse> {
  const parents = new Map<number, number>();
  const ticks = new Map<number, number>();
  for (const pid of await processIds()) {
    const line = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
    if (line === null) continue;
    // The name in parentheses may contain spaces.
    const fields = line
      .slice(line.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    parents.set(pid, fields[1] ?? 0);
    ticks.set(
      pid,
      [11, 12, 13, 14].reduce((sum, field) => sum + (fields[field] ?? 0), 0),
    );
  }
  const isInTree = (pid: number): boolean =>
    pid === root || (parents.has(pid) && isInTree(parents.get(pid) ?? 0));
  const members = [...parents.keys()].filter(isInTree);
  const memory = await Promise.all(members.map(memoryOf));
  return {
    memoryBytes: memory.reduce((sum, bytes) => sum + bytes, 0),
    cpuSeconds: members.reduce((sum, pid) => sum + (ticks.get(pid) ?? 0), 0) / ticksPerSecond,
  };
}

/** Watches a process tree while `work` runs, and returns the most memory it used. */
export async function mostMemory(root: number, work: () => Promise<unknown>): Promise<number> {
  const over = new AbortController();
  const watching = watchMemory(root, over.signal);
  try {
    await work();
  } finally {
    over.abort();
  }
  return watching;
}

const lookEveryMs = 100;

async function watchMemory(root: number, signal: AbortSignal): Promise<number> {
  let most = 0;
  while (!signal.aborted) {
    most = Math.max(most, (await useOf(root)).memoryBytes);
    await sleep(lookEveryMs);
  }
  return most;
}

async function memoryOf(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1024;
}

async function processIds(): Promise<number[]> {
  return (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
}
