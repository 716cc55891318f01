import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { chmod, cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { nodeIsolatedAfterMs } from "../../contracts/limits.ts";
import { freePort, secret, startFakeEdge, type FakeEdge } from "./fake-edge.ts";
import { sampleTask } from "./sample-task.ts";
import { until } from "./test-node.ts";

const main = fileURLToPath(new URL("../../processor/main.ts", import.meta.url));
const standOnSignal = new URL("../programs/stand-on-signal.ts", import.meta.url).href;
const pythonPrograms = fileURLToPath(new URL("../programs/python", import.meta.url));

let edge: FakeEdge;
let folder: string;
let page: Server;
let processes: ChildProcess[];

beforeEach(async () => {
  edge = await startFakeEdge();
  folder = await mkdtemp(join(tmpdir(), "ferry-main-test-"));
  processes = [];
  page = createServer((request, response) => {
    response.statusCode = request.url === "/missing" ? 404 : 200;
    response
      .setHeader("content-type", "text/html")
      .end("<html><body>A page whose media takes a program to find.</body></html>");
  });
  page.listen(await freePort(), "127.0.0.1");
  await once(page, "listening");
});
afterEach(async () => {
  for (const child of processes) child.kill("SIGKILL");
  page.closeAllConnections();
  page.close();
  await edge.close();
  await rm(folder, { recursive: true, force: true });
});

interface NodeProcess {
  readonly address: string;
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly exit: Promise<number | null>;
}

async function startProcess(environment: Readonly<Record<string, string>> = {}): Promise<NodeProcess> {
  const port = environment["PORT"] ?? String(await freePort());
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: `${folder}:${process.env["PATH"] ?? ""}`,
      EDGE_URL: edge.url,
      PROCESSOR_SECRET: secret,
      PORT: port,
      ALLOW_PRIVATE_NETWORK: "true",
      WORK_DIR: join(folder, "work"),
      DRAIN_GRACE_MS: "0",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  processes.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const exit = once(child, "close").then(() => child.exitCode);
  return { address: `http://127.0.0.1:${port}`, child, output: () => output, exit };
}

/** Puts a downloader on the node's PATH that starts a child and hangs along with it; returns how to read the two ids. */
async function hangingDownloader({ ignoresTerm }: { ignoresTerm: boolean }): Promise<() => number[]> {
  const pids = join(folder, "pids");
  const script = `#!/bin/sh
case "$*" in *--help*|*--version*) exit 0;; esac
${ignoresTerm ? "trap '' TERM" : ""}
sleep 600 &
echo "$$ $!" > ${pids}.new && mv ${pids}.new ${pids}
wait
`;
  await writeFile(join(folder, "yt-dlp"), script);
  await chmod(join(folder, "yt-dlp"), 0o755);
  return () => (existsSync(pids) ? readFileSync(pids, "utf8").trim().split(" ").map(Number) : []);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ESRCH" || error.code === "ENOENT"))
      return false;
    throw error;
  }
}

function pageUrl(path: string): string {
  const address = page.address();
  if (address === null || typeof address === "string") throw new Error("the page has no port");
  return `http://127.0.0.1:${address.port}${path}`;
}

/** Posts a task whose extraction hangs and waits until its program runs. */
async function postHangingTask(node: NodeProcess, pids: () => number[]): Promise<void> {
  await until(() => edge.heartbeats.length > 0);
  const answer = await edge.postTasks(node.address, [sampleTask({ url: pageUrl("/watch") })]);
  expect(answer.results[0]?.accepted).toBe(true);
  await until(() => pids().length === 2);
  expect(pids().map(isRunning)).toEqual([true, true]);
}

test("a job runs through the real pipeline, and its failure is reported with its code", async () => {
  const node = await startProcess();
  await until(() => edge.heartbeats.length > 0);
  await edge.postTasks(node.address, [sampleTask({ url: pageUrl("/missing") })]);
  await until(() => edge.reports().length > 0);
  expect(edge.reports()).toMatchObject([{ job_id: "job-1", kind: "failed", code: "video_unavailable" }]);
});

test("SIGTERM returns the running job and leaves no program, no file and no secret in the log", async () => {
  const pids = await hangingDownloader({ ignoresTerm: true });
  const node = await startProcess();
  await postHangingTask(node, pids);
  node.child.kill("SIGTERM");
  expect(await node.exit).toBe(0);
  expect(edge.reports()).toEqual([{ account_id: "account-1", job_id: "job-1", claim: 1, kind: "returned" }]);
  expect(pids().map(isRunning)).toEqual([false, false]);
  expect(await readdir(join(folder, "work"))).toEqual([]);

  const lines = node.output().trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).message)).toContain("job returned");
  for (const hidden of [secret, sampleTask().storage.secret_access_key, sampleTask().storage.access_key_id]) {
    expect(node.output()).not.toContain(hidden);
  }
});

test("a node that resumes after SIGSTOP returns its job before it reports anything else about it", async () => {
  const pids = await hangingDownloader({ ignoresTerm: false });
  const node = await startProcess();
  await postHangingTask(node, pids);
  node.child.kill("SIGSTOP");
  await delay(nodeIsolatedAfterMs);
  node.child.kill("SIGCONT");
  await until(() => edge.reports().length > 0);
  expect(edge.reports()).toEqual([{ account_id: "account-1", job_id: "job-1", claim: 1, kind: "returned" }]);
  await until(() => !pids().some(isRunning));
});

test("a node whose event loop stands is killed, and says so in its log", async () => {
  const node = await startProcess({ NODE_OPTIONS: `--import=${standOnSignal}` });
  await until(() => edge.heartbeats.length > 0);
  node.child.kill("SIGUSR2");
  await node.exit;
  expect(node.child.signalCode).toBe("SIGKILL");
  expect(node.output()).toContain("the node's event loop stood for 10 s");
});

test("a second signal ends the node and its programs at once", async () => {
  const pids = await hangingDownloader({ ignoresTerm: false });
  const node = await startProcess({ DRAIN_GRACE_MS: "600000" });
  await postHangingTask(node, pids);
  node.child.kill("SIGINT");
  await until(() => edge.heartbeats.at(-1)?.draining === true);
  node.child.kill("SIGINT");
  expect(await node.exit).toBe(1);
  await until(() => !pids().some(isRunning));
});

test("a node removes the files of its killed predecessor", async () => {
  const pids = await hangingDownloader({ ignoresTerm: false });
  const port = String(await freePort());
  const first = await startProcess({ PORT: port });
  await postHangingTask(first, pids);
  first.child.kill("SIGKILL");
  await first.exit;
  const left = join(folder, "work", `node-${port}`);
  expect((await readdir(left)).length).toBeGreaterThan(0);
  for (const pid of pids()) process.kill(pid, "SIGKILL");

  const former = edge.heartbeats.at(-1)?.node_id;
  await startProcess({ PORT: port });
  await until(() => edge.heartbeats.at(-1)?.node_id !== former);
  expect(await readdir(left)).toEqual([]);
});

test("the fork server of a killed node ends, with its programs", async () => {
  await cp(join(pythonPrograms, "yt_dlp"), join(folder, "yt_dlp"), { recursive: true });
  const pids = join(folder, "pids");
  const script = `#!/usr/bin/python3
import os, sys, time
if "--help" in sys.argv:
    sys.exit()
with open("${pids}.new", "w") as file:
    file.write(f"{os.getpid()} {os.getppid()}")
os.rename("${pids}.new", "${pids}")
time.sleep(600)
`;
  await writeFile(join(folder, "yt-dlp"), script);
  await chmod(join(folder, "yt-dlp"), 0o755);
  const node = await startProcess();
  await until(() => node.output().includes("the fork server is ready"));
  const pidsOf = () => (existsSync(pids) ? readFileSync(pids, "utf8").split(" ").map(Number) : []);
  await postHangingTask(node, pidsOf);
  expect(pidsOf()[1]).not.toBe(node.child.pid);
  node.child.kill("SIGKILL");
  await until(() => !pidsOf().some(isRunning));
});

test("a node with missing configuration reports it and exits", async () => {
  const node = await startProcess({ PROCESSOR_SECRET: "" });
  expect(await node.exit).toBe(1);
  expect(node.output()).toBe(
    "The node cannot start: PROCESSOR_SECRET is missing: it is the secret this node shares with the edge.\n",
  );
});

test("a node without the downloader reports it and exits", async () => {
  const node = await startProcess({ YT_DLP_PATH: join(folder, "missing") });
  expect(await node.exit).toBe(1);
  expect(node.output()).toContain("missing could not be started");
});

test("a port that is in use is reported in a sentence", async () => {
  const { port } = new URL(pageUrl("/"));
  const node = await startProcess({ PORT: port });
  expect(await node.exit).toBe(1);
  expect(node.output()).toContain(`Port ${port} is in use by another program`);
});
