// A separate process that outlives its system: it holds the state folder's lock, and should the system be killed, ends
// whatever that leaves behind. Argument: the state folder. Standard input: a line `+<leader>` or `-<leader>` for each
// process group that started or ended; end of input means that the system is gone. Prints `held` once it has the lock,
// or `busy`.
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { signalGroup } from "./process-group.ts";

/** How long to wait for the lock of a running system. */
const runningWaitMs = 1500;
/** How long to wait for the lock of a system that is shutting down. */
const endingWaitMs = 15_000;
const graceMs = 10_000;
const pollMs = 50;

const [stateDir = "."] = process.argv.slice(2);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});

const endingMark = join(stateDir, "ending");
// Kept until the end: the lock would go with the object.
const lock = new DatabaseSync(join(stateDir, "lock.sqlite"));
if (await waitForLock()) {
  process.stdout.write("held\n");
  const groups = new Set<number>();
  for await (const line of createInterface({ input: process.stdin })) {
    const leader = Number(line.slice(1));
    if (line.startsWith("+")) groups.add(leader);
    else groups.delete(leader);
  }
  await writeFile(endingMark, "");
  await endAll(groups);
  await rm(endingMark);
} else {
  process.stdout.write("busy\n");
}
lock.close();

async function waitForLock(): Promise<boolean> {
  const begun = performance.now();
  while (!takeLock()) {
    const waitMs = existsSync(endingMark) ? endingWaitMs : runningWaitMs;
    if (performance.now() - begun > waitMs) return false;
    await sleep(pollMs);
  }
  return true;
}

/** The lock belongs to the operating system and so ends with this process, however it ends. */
function takeLock(): boolean {
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes("locked")) return false;
    throw error;
  }
}

/** The first signal asks a node to finish its jobs; a killed system has no time for that, so a second one follows. */
async function endAll(groups: ReadonlySet<number>): Promise<void> {
  const alive = () => [...groups].filter((leader) => signalGroup(leader, 0));
  const deadline = performance.now() + graceMs;
  for (let asked = 0; alive().length > 0 && performance.now() < deadline; asked++) {
    if (asked < 2) for (const leader of alive()) signalGroup(leader, "SIGTERM");
    await sleep(pollMs);
  }
  for (const leader of alive()) signalGroup(leader, "SIGKILL");
}
