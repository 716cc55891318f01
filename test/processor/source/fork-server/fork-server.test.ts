import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createLog } from "../../../../processor/log.ts";
import type { DownloaderRun } from "../../../../processor/source/downloader.ts";
import {
  keepForkServer,
  restartDelayMs,
  type KeptForkServer,
} from "../../../../processor/source/fork-server/keep-fork-server.ts";
import { unsealedMark } from "../../../../processor/source/sealed-program/sealed-command.ts";
import type { ProgramEnd } from "../../../../processor/subprocess/run-program.ts";

const programs = fileURLToPath(new URL("../../../programs/python", import.meta.url));
const log = createLog("error", "node");
let root: string;
let server: KeptForkServer;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "ferry-fork-"));
  await cp(programs, join(root, "program"), { recursive: true });
  await mkdir(join(root, "job"));
  server = keepForkServer(join(root, "program", "misbehave"), log);
  await server.start(root);
});
afterEach(async () => {
  await server.close();
  await rm(root, { recursive: true });
});

/** Null if the server returned nothing. */
function ask(manner: string, more: Partial<DownloaderRun> = {}): Promise<ProgramEnd | null> {
  return server.run([manner, "--flag", "a b"], {
    folder: join(root, "job"),
    signal: new AbortController().signal,
    deadlineMs: 30_000,
    stdoutMaxBytes: 1_000_000,
    fileMaxBytes: 1_000_000,
    ...more,
  });
}

/** Retries until a server is ready. */
function run(manner: string, more: Partial<DownloaderRun> = {}): Promise<ProgramEnd> {
  return vi.waitUntil<ProgramEnd | null>(() => ask(manner, more), { timeout: 30_000, interval: 20 });
}

async function report() {
  return JSON.parse((await run("report")).stdout);
}

function path(name: string): string {
  return join(root, "job", name);
}

async function pidIn(name: string): Promise<number> {
  await vi.waitUntil(() => existsSync(path(name)), { timeout: 20_000 });
  return Number(readFileSync(path(name), "utf8"));
}

/** A killed process that has not been reaped yet is not running. */
function isRunning(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false;
  const [, state] = /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
  return state !== "Z";
}

async function goneSoon(pid: number): Promise<void> {
  await vi.waitUntil(() => !isRunning(pid), { timeout: 20_000 });
}

describe("a run", () => {
  test("gets its arguments, its folder, limits and nothing of this process's environment", async () => {
    process.env["FERRY_SECRET"] = "do not pass on";
    const end = await run("report");
    delete process.env["FERRY_SECRET"];
    const said = JSON.parse(end.stdout);
    expect(end).toMatchObject({ outcome: "exited", exitCode: 3, stderr: "a complaint\n" });
    expect(said).toMatchObject({ args: ["--flag", "a b"], cwd: join(root, "job"), leads: true, input: "" });
    expect(Object.keys(said.env).sort()).toEqual(["HOME", "JAVASCRIPT_RUNTIME", "LANG", "PATH", "TMPDIR"]);
    expect(said.limits).toMatchObject({
      RLIMIT_CPU: 30 * availableParallelism(),
      RLIMIT_FSIZE: 1_000_000,
      RLIMIT_CORE: 0,
    });
    // The fourth is the folder being read.
    expect(said.open).toEqual([0, 1, 2, 3]);
  });

  test("ends like Python does: with a message, with an error, with nothing to report", async () => {
    expect(await run("say_why")).toMatchObject({ exitCode: 1, stderr: "it does not want to\n" });
    expect(await run("raise_an_error")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("ValueError: it broke"),
    });
    expect(await run("lines")).toMatchObject({ exitCode: 0, stdout: "one\ntwo\nthree", stderr: "" });
    const stdoutPath = path("saved");
    expect(await run("lines", { stdoutPath })).toMatchObject({ exitCode: 0, stdout: "" });
    expect(readFileSync(stdoutPath, "utf8")).toBe("one\ntwo\nthree");
  });

  test("is killed at its deadline", async () => {
    const end = await run("hang", { deadlineMs: 1000 });
    expect(end).toMatchObject({ outcome: "deadline", exitCode: null });
    await goneSoon(await pidIn("ready"));
  });

  test("is killed when it exceeds its processor time", async () => {
    const end = await run("burn", { processorMs: 1000 });
    expect(end).toMatchObject({ outcome: "exhausted", exitCode: null });
  });

  test("is killed when the signal aborts, and rejects with its reason", async () => {
    await report();
    const controller = new AbortController();
    const ended = expect(ask("hang", { signal: controller.signal })).rejects.toThrow("cancelled");
    const pid = await pidIn("ready");
    controller.abort(new Error("cancelled"));
    await ended;
    await goneSoon(pid);
  });

  test("is not started if the signal was already aborted", async () => {
    await report();
    await expect(ask("hang", { signal: AbortSignal.abort(new Error("too late")) })).rejects.toThrow(
      "too late",
    );
  });

  test("is killed if it floods its output", async () => {
    expect(await run("flood")).toMatchObject({ outcome: "flooded" });
  });

  test("keeps only the end of its error output", async () => {
    const { stderr } = await run("complain_a_lot");
    expect(stderr.length).toBe(16 * 1024);
    expect(stderr).toMatch(/xthe end$/);
  });

  test("passes on its lines as they arrive, even a last one without a newline", async () => {
    const lines: string[] = [];
    expect(await run("lines", { onLine: (line) => lines.push(line) })).toMatchObject({ stdout: "" });
    expect(lines).toEqual(["one", "two", "three"]);
  });

  test("ends with the programs that it started, which do not delay its end", async () => {
    expect(await run("leave_grandchild")).toMatchObject({ outcome: "exited", exitCode: 0 });
    await goneSoon(await pidIn("grandchild"));
  });

  test("cannot write a file beyond its limit", async () => {
    expect(await run("write_a_file")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("File too large"),
    });
  });
});

describe("a server", () => {
  test("survives the crash of a run, and so do its other runs", async () => {
    const before = await report();
    const other = ask("finish_when_told");
    const pid = await pidIn("ready");
    expect(await ask("abort")).toMatchObject({ outcome: "exited", exitCode: null });
    expect(isRunning(pid)).toBe(true);
    await writeFile(path("finish"), "");
    expect(await other).toMatchObject({ exitCode: 0, stdout: "finished\n" });
    expect((await report()).parent).toBe(before.parent);
  });

  test("that is killed loses its runs, which end, and is replaced", async () => {
    const { parent } = await report();
    const lost = ask("hang");
    const pid = await pidIn("ready");
    process.kill(parent, "SIGKILL");
    expect(await lost).toBeNull();
    await goneSoon(pid);
    expect(await ask("report")).toBeNull();
    expect((await report()).parent).not.toBe(parent);
  });

  test("whose program was updated starts no more runs, lets the others finish, and is replaced by one with the new version", async () => {
    const before = await report();
    const old = ask("finish_when_told");
    await pidIn("ready");
    const versionFile = join(root, "program", "yt_dlp", "version.py");
    await writeFile(`${versionFile}.new`, 'VERSION = "newer"\n');
    await rename(`${versionFile}.new`, versionFile);
    expect(await ask("report")).toBeNull();
    const after = await report();
    expect(before.version).toBe("1");
    expect(after.version).toBe("newer");
    expect(isRunning(before.parent)).toBe(true);
    await writeFile(path("finish"), "");
    expect(await old).toMatchObject({ exitCode: 0, stdout: "finished\n" });
    await goneSoon(before.parent);
  });

  test("whose program cannot be sealed runs it as it is, and says so once", async () => {
    const folder = join(root, "unsealed");
    await cp(programs, folder, { recursive: true });
    await writeFile(join(folder, "yt_dlp", "utils.py"), "smuggle_url = unsmuggle_url = print\n");
    const warnings: unknown[] = [];
    const takeLine = (line: string) => void warnings.push(JSON.parse(line).message);
    const unsealed = keepForkServer(
      join(folder, "misbehave"),
      createLog("warn", "node", { write: takeLine }),
    );
    await unsealed.start(folder);
    const bounds = { folder, deadlineMs: 30_000, stdoutMaxBytes: 1000, fileMaxBytes: 0 };
    const runLines = () => unsealed.run(["lines"], { ...bounds, signal: new AbortController().signal });
    await vi.waitUntil(() => unsealed.loaded() !== null, { timeout: 30_000 });
    for (let n = 1; n <= 2; n++) {
      expect(await runLines()).toMatchObject({ exitCode: 0, stdout: "one\ntwo\nthree" });
    }
    expect(unsealed.loaded()).toMatchObject({ isSealed: false });
    expect(warnings).toEqual([unsealedMark]);
    await unsealed.close();
  });

  test("has many concurrent runs, and keeps nothing of them", async () => {
    const { parent } = await report();
    const openFiles = () => readdirSync(`/proc/${parent}/fd`).length;
    const openBefore = openFiles();
    const ends = await Promise.all(Array.from({ length: 50 }, () => ask("report")));
    expect(ends.map((end) => end?.exitCode)).toEqual(ends.map(() => 3));
    expect(openFiles()).toBe(openBefore);
  });

  test("ends with its runs when it is closed", async () => {
    const { parent } = await report();
    const lost = ask("hang");
    const pid = await pidIn("ready");
    await server.close();
    expect(await lost).toBeNull();
    await Promise.all([goneSoon(parent), goneSoon(pid)]);
  });
});

test("a program that is not written in Python has no server", async () => {
  const none = keepForkServer("/bin/sh", log);
  await none.start(root);
  const signal = new AbortController().signal;
  const bounds = { folder: root, signal, deadlineMs: 1000, stdoutMaxBytes: 1, fileMaxBytes: 1 };
  expect(await none.run(["-c", "exit"], bounds)).toBeNull();
  await none.close();
});

test("a server that never works is restarted with growing delays, up to a minute", () => {
  expect([0, 1, 2, 5, 6, 100].map(restartDelayMs)).toEqual([1000, 2000, 4000, 32_000, 60_000, 60_000]);
});
