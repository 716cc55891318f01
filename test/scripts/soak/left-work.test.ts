import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { auditWorkFolders } from "../../../scripts/soak/left-work.ts";

test("a job's folder and a program in it are found while they exist, and waited for", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ferry-left-work-"));
  const ofJob = join(folder, "job-a");
  await mkdir(ofJob);
  await writeFile(join(folder, "socket"), "");
  const program = spawn("sleep", ["60"], { cwd: ofJob, stdio: "ignore" });
  const ended = once(program, "exit");
  await once(program, "spawn");

  expect((await auditWorkFolders([folder], 0)).rows).toEqual([
    { accountId: "", subject: ofJob, detail: "a job's folder" },
    { accountId: "", subject: ofJob, detail: `process ${program.pid} works there` },
  ]);
  const waited = auditWorkFolders([folder], 60_000);
  program.kill("SIGKILL");
  await ended;
  await rm(ofJob, { recursive: true });
  expect((await waited).rows).toEqual([]);
  await rm(folder, { recursive: true });
});
