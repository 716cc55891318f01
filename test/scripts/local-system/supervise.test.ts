import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startGuard, type Guard } from "../../../scripts/local-system/guard-client.ts";
import type { Program } from "../../../scripts/local-system/process-group.ts";
import { supervise } from "../../../scripts/local-system/supervise.ts";

let folder: string;
let guard: Guard;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-supervise-"));
});
afterEach(() => rm(folder, { recursive: true }));

const quiet = () => {};

test("a program that dies is restarted, and that is logged", async () => {
  guard = await startGuard(folder);
  const say = vi.fn<(line: string) => void>();
  const supervised = supervise(parent("waits"), guard, say);
  const first = await pidOf("child");
  process.kill(await pidOf("parent"), "SIGKILL");

  await expect(supervised.firstEnd).resolves.toEqual({ code: null, signal: "SIGKILL" });
  await vi.waitFor(async () => expect(await pidOf("child")).not.toBe(first), { timeout: 10_000 });
  expect(say).toHaveBeenCalledWith("The parent ended (SIGKILL); starting it again");
  expect(await isAlive(first)).toBe(false);

  await supervised.stop(5000);
  await guard.release();
});

test("a program that is killed is restarted", async () => {
  guard = await startGuard(folder);
  const supervised = supervise(parent("waits"), guard, quiet);
  const first = await pidOf("child");
  expect(supervised.starts()).toBe(1);
  supervised.kill();

  await vi.waitFor(async () => expect(await pidOf("child")).not.toBe(first), { timeout: 10_000 });
  expect(supervised.starts()).toBe(2);
  await supervised.stop(5000);
  await guard.release();
});

test("stopping ends the program and its children", async () => {
  guard = await startGuard(folder);
  const supervised = supervise(parent("waits"), guard, quiet);
  const pids = [await pidOf("parent"), await pidOf("child")];

  await supervised.stop(5000);
  await guard.release();
  expect(await Promise.all(pids.map(isAlive))).toEqual([false, false]);
});

test("a program that ignores signals is killed when its time is up", async () => {
  guard = await startGuard(folder);
  const supervised = supervise(parent("ignores"), guard, quiet);
  const pid = await pidOf("parent");

  await supervised.stop(100);
  await guard.release();
  expect(await isAlive(pid)).toBe(false);
});

test("a folder belongs to one system at a time", async () => {
  guard = await startGuard(folder);
  await expect(startGuard(folder)).rejects.toThrow(`${folder} is in use by another running system`);
  await guard.release();
  guard = await startGuard(folder);
  await guard.release();
});

test("a folder is available to the next system once the programs of a killed one have ended", async () => {
  const script = fileURLToPath(new URL("programs/system.ts", import.meta.url));
  const system = spawn(process.execPath, [script, folder, JSON.stringify(parent("waits"))], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(createInterface({ input: system.stdout }), "line");
  const pids = [await pidOf("parent"), await pidOf("child")];
  system.kill("SIGKILL");

  guard = await startGuard(folder);
  expect(await Promise.all(pids.map(isAlive))).toEqual([false, false]);
  await guard.release();
});

function parent(mode: "waits" | "ignores"): Program {
  return {
    name: "The parent",
    file: process.execPath,
    args: [fileURLToPath(new URL("programs/parent.mjs", import.meta.url)), folder, mode],
    env: {},
    logFile: join(folder, "parent.log"),
  };
}

/** Waits until the program has written its process id. */
function pidOf(name: "parent" | "child"): Promise<number> {
  return vi.waitFor(
    async () => {
      const pid = Number(await readFile(join(folder, `${name}.pid`), "utf8"));
      expect(pid).toBeGreaterThan(0);
      return pid;
    },
    { timeout: 10_000 },
  );
}

/** A process that has ended but was not waited for is dead. */
async function isAlive(pid: number): Promise<boolean> {
  const { stdout, failed, exitCode } = await execa("ps", ["-o", "stat=", "-p", String(pid)], {
    reject: false,
  });
  if (failed && exitCode !== 1) throw new Error("ps is needed to look for processes");
  return stdout !== "" && !stdout.startsWith("Z");
}
