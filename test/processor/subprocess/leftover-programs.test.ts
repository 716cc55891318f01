import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { endLeftoverPrograms } from "../../../processor/subprocess/leftover-programs.ts";
import { makeEmptyFolder } from "../../../processor/work/work-folder.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-leftover-"));
  await mkdir(join(folder, "node-1", "job"), { recursive: true });
  await mkdir(join(folder, "node-10", "job"), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function startIn(cwd: string) {
  const child = spawn("sleep", ["60"], { cwd, detached: true, stdio: "ignore" });
  return { child, exit: once(child, "exit") };
}

test("programs that work in the folder are ended, but not those in neighbouring folders", async () => {
  const left = startIn(join(folder, "node-1", "job"));
  const neighbour = startIn(join(folder, "node-10", "job"));
  await Promise.all([once(left.child, "spawn"), once(neighbour.child, "spawn")]);
  await endLeftoverPrograms(join(folder, "node-1"));
  expect(await left.exit).toEqual([null, "SIGKILL"]);
  expect(neighbour.child.exitCode).toBeNull();
  expect(neighbour.child.signalCode).toBeNull();
  neighbour.child.kill("SIGKILL");
  await neighbour.exit;
});

test("a node that starts ends the programs that its predecessor left running", async () => {
  const left = startIn(join(folder, "node-1", "job"));
  await once(left.child, "spawn");
  await makeEmptyFolder(join(folder, "node-1"));
  expect(await left.exit).toEqual([null, "SIGKILL"]);
});

test("a folder without programs, or that does not exist, is no error", async () => {
  await expect(endLeftoverPrograms(join(folder, "nowhere"))).resolves.toBeUndefined();
});
