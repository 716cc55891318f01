import { existsSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runProgram, type Program, type ProgramEnd } from "../../../processor/subprocess/run-program.ts";

const program = fileURLToPath(new URL("../../programs/misbehave.ts", import.meta.url));
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-run-program-"));
});
afterEach(() => rm(folder, { recursive: true }));

function run(manner: string, more: Partial<Program> = {}): Promise<ProgramEnd> {
  return runProgram({
    name: process.execPath,
    args: [program, manner, "--flag", "a b"],
    folder,
    signal: new AbortController().signal,
    deadlineMs: 30_000,
    stdoutMaxBytes: 100_000,
    fileMaxBytes: 1_000_000,
    ...more,
  });
}

test("a program gets its arguments, its folder and nothing of this process's environment", async () => {
  process.env["FERRY_SECRET"] = "do not pass on";
  const end = await run("report", { env: { EXTRA: "1" } });
  delete process.env["FERRY_SECRET"];
  const said = JSON.parse(end.stdout);
  expect(end).toMatchObject({ outcome: "exited", exitCode: 3, stderr: "a complaint\n" });
  expect(said.cwd).toBe(folder);
  expect(said.args).toEqual(["--flag", "a b"]);
  // The working directory again, as shells set it.
  expect(Object.keys(said.env).sort()).toEqual(["EXTRA", "HOME", "LANG", "PATH", "PWD", "TMPDIR"]);
});

test("one that hangs is killed at its deadline", async () => {
  const end = await run("hang", { deadlineMs: 500 });
  expect(end.outcome).toBe("deadline");
});

test("one that exceeds its processor time is killed", async () => {
  const end = await run("burn", { processorMs: 1000 });
  expect(end).toMatchObject({ outcome: "exhausted", exitCode: null });
});

test("one that ignores SIGTERM is killed when the signal aborts, and the run rejects with its reason", async () => {
  const reason = new Error("the job is cancelled");
  const controller = new AbortController();
  const running = run("ignore-sigterm", { signal: controller.signal });
  const ended = expect(running).rejects.toBe(reason);
  const pid = await pidIn("ready");
  controller.abort(reason);
  await ended;
  expect(isRunning(pid)).toBe(false);
});

test("an aborted signal starts nothing", async () => {
  await expect(run("hang", { signal: AbortSignal.abort(new Error("too late")) })).rejects.toThrow("too late");
  expect(existsSync(join(folder, "ready"))).toBe(false);
});

test("a grandchild that outlives its parent is killed, and does not delay the end", async () => {
  const end = await run("leave-grandchild");
  expect(end).toMatchObject({ outcome: "exited", exitCode: 0 });
  await goneSoon(await pidIn("grandchild"));
});

test("a grandchild that ignores SIGTERM is killed with its parent", async () => {
  const controller = new AbortController();
  const ended = expect(run("keep-grandchild", { signal: controller.signal })).rejects.toThrow("enough");
  await pidIn("ready");
  controller.abort(new Error("enough"));
  await ended;
  await goneSoon(await pidIn("grandchild"));
});

test("one that floods its output is killed", async () => {
  const end = await run("flood-stdout");
  expect(end.outcome).toBe("flooded");
});

test("output that is to be saved is written to a file and not kept, and may not flood either", async () => {
  const stdoutPath = join(folder, "saved");
  const end = await run("report", { stdoutPath });
  expect(end.stdout).toBe("");
  expect(JSON.parse(await readFile(stdoutPath, "utf8"))).toMatchObject({ args: ["--flag", "a b"] });
  expect((await run("flood-stdout", { stdoutPath })).outcome).toBe("flooded");
  await expect(run("report", { stdoutPath: join(folder, "nowhere", "saved") })).rejects.toThrow("ENOENT");
});

test("only the end of a long error output is kept", async () => {
  const end = await run("flood-stderr");
  expect(end.outcome).toBe("exited");
  expect(end.stderr.length).toBe(16 * 1024);
  expect(end.stderr).toMatch(/x the end$|xthe end$/);
});

test("lines are passed on as they arrive, across writes, even a last one without a newline", async () => {
  const lines: string[] = [];
  await run("lines", { onLine: (line) => lines.push(line) });
  expect(lines).toEqual(["one", "two", "three"]);
});

test("a program that does not exist is an error that names it", async () => {
  await expect(run("hang", { name: "no-such-program" })).rejects.toThrow(
    "no-such-program could not be started",
  );
});

/** The pid that a program wrote into its folder. */
async function pidIn(name: string): Promise<number> {
  const path = join(folder, name);
  await vi.waitUntil(() => existsSync(path) && readFileSync(path, "utf8") !== "", { timeout: 20_000 });
  return Number(readFileSync(path, "utf8"));
}

async function goneSoon(pid: number): Promise<void> {
  await vi.waitUntil(() => !isRunning(pid), { timeout: 20_000 });
}

/** A killed process that has not been reaped yet is not running. */
function isRunning(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false;
  const [, state] = /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
  return state !== "Z";
}

/** The limits that a shell reports: CPU seconds, KiB of address space, blocks of 512 bytes per file, open files, core size. */
const askLimits = "ulimit -t; ulimit -v; ulimit -f; ulimit -n; ulimit -c";

test("the kernel enforces a program's limits", async () => {
  const end = await run("", { name: "sh", args: ["-c", askLimits], addressSpaceBytes: 4096 * 10_000 });
  const cores = availableParallelism();
  expect(end.stdout.split("\n")).toEqual([String(30 * cores), "40000", "1954", "256", "0", ""]);
});

test("one that writes too long a file is ended, and leaves no more than its limit", async () => {
  const args = ["-c", 'exec head -c 100000000 /dev/zero > "$1"', "sh", "long; touch injected"];
  const end = await run("", { name: "sh", args });
  expect(end.outcome).toBe("oversized");
  expect(statSync(join(folder, "long; touch injected")).size).toBeLessThanOrEqual(1954 * 512);
  expect(existsSync(join(folder, "injected"))).toBe(false);
});

async function* chunksOf(texts: readonly string[], failure?: Error) {
  for (const text of texts) yield Buffer.from(text);
  if (failure) throw failure;
}

test("a program reads its inputs from separate descriptors, concurrently", async () => {
  const feeds = [chunksOf(["one ", "feed "]), chunksOf(["another"])];
  const end = await run("", { name: "sh", args: ["-c", "cat <&3; cat <&4"], feeds });
  expect(end).toMatchObject({ exitCode: 0, stdout: "one feed another" });
});

test("a program that does not read its input to the end can still succeed", async () => {
  const feeds = [chunksOf(Array.from({ length: 100 }, () => "x".repeat(100_000)))];
  const end = await run("", { name: "sh", args: ["-c", "head -c 5 <&3"], feeds });
  expect(end).toMatchObject({ exitCode: 0, stdout: "xxxxx" });
});

test("an input that fails ends the program, and the run with its error", async () => {
  const failure = new Error("the source broke");
  const feeds = [chunksOf(["some"], failure)];
  await expect(run("", { name: "sh", args: ["-c", "cat <&3; sleep 60"], feeds })).rejects.toBe(failure);
});
