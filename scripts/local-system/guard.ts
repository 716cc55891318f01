// A process of its own that outlives its system: it holds the state folder's lock, and should the system be killed, it
// ends what that leaves behind. Argument: the state folder. Standard input: `+<leader>` and `-<leader>`, a line for each
// process group that began or ended; its end means that the system is gone. Prints `held` once it has the lock, or `busy`.
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { signalGroup } from "./process-group.ts";

/** How long a former guard may take to end what it watched: a node that drains included. */
const lockWaitMs = 20_000;
const graceMs = 15_000;
const pollMs = 50;

const [stateDir = "."] = process.argv.slice(2);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});

if (holdLock(join(stateDir, "lock.sqlite"))) {
  process.stdout.write("held\n");
  const groups = new Set<number>();
  for await (const line of createInterface({ input: process.stdin })) {
    const leader = Number(line.slice(1));
    if (line.startsWith("+")) groups.add(leader);
    else groups.delete(leader);
  }
  await endAll(groups);
} else {
  process.stdout.write("busy\n");
}

/** A lock of the operating system: it ends with this process, whatever ends it. */
function holdLock(path: string): boolean {
  const database = new DatabaseSync(path, { timeout: lockWaitMs });
  try {
    database.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes("locked")) return false;
    throw error;
  }
}

async function endAll(groups: ReadonlySet<number>): Promise<void> {
  const alive = () => [...groups].filter((leader) => signalGroup(leader, 0));
  for (const leader of alive()) signalGroup(leader, "SIGTERM");
  const deadline = performance.now() + graceMs;
  while (alive().length > 0 && performance.now() < deadline) await sleep(pollMs);
  for (const leader of alive()) signalGroup(leader, "SIGKILL");
}
