import { readFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { execa } from "execa";
import { examine } from "../../scripts/doctor/examine.ts";
import type { Patient } from "../../scripts/doctor/patient.ts";
import { mediaFiles } from "../../scripts/origin/make-media.ts";
import type { Origin } from "../../scripts/origin/serve-origin.ts";
import { startTestOrigin } from "../origin/test-origin.ts";
import { repositoryRoot } from "../repository/repository.ts";
import { openApi, type Api } from "./support/api.ts";
import { urlSecret } from "./support/planted-secrets.ts";
import { descendantsOf, stillRunning } from "./support/processes.ts";
import {
  failToStart,
  freePorts,
  startSystem,
  type Ports,
  type RunningSystem,
} from "./support/running-system.ts";

let folder: string;
let stateDir: string;
let ports: Ports;
let origin: Origin;
let system: RunningSystem;
let api: Api;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-lifecycle-"));
  stateDir = join(folder, "state");
  ports = await freePorts();
  origin = await startTestOrigin();
  await start();
});
afterAll(async () => {
  await system.end("SIGINT");
  await origin.close();
  await rm(folder, { recursive: true });
});

async function start(): Promise<void> {
  system = await startSystem(stateDir, ports);
  api = await openApi(system);
}

/** A job that runs for about five seconds. */
async function startSlowJob(): Promise<string> {
  const url = `${origin.url}/slow/${mediaFiles.mp4}?bytes_per_second=300000&token=${urlSecret}`;
  const jobId = await api.createJob({ url });
  await vi.waitUntil(async () => (await api.ask("GET", `/jobs/${jobId}`)).body.status === "Processing", {
    timeout: 30_000,
  });
  return jobId;
}

const patient = (): Patient => ({
  url: system.url,
  apiKey: system.apiKey,
  processorSecret: readFileSync(join(stateDir, "processor-secret"), "utf8").trim(),
  isLocal: true,
});
const faultsOf = async (given: Partial<Patient>) => {
  const findings = await examine({ ...patient(), ...given }, { withJob: false, source: null });
  return findings.filter(({ state }) => state === "fault").map(({ part, says }) => `${part}: ${says}`);
};

test("the doctor finds nothing wrong with a running system, including a job's file", async () => {
  const doctor = ["run", "--silent", "doctor", "--", "--job"];
  const env = {
    STATE_DIR: stateDir,
    PORT: String(ports.port),
    PROCESSOR_PORT: String(ports.processorPort),
  };
  const { stdout, exitCode } = await execa("npm", doctor, { cwd: repositoryRoot, env, reject: false });
  expect(stdout).toMatch(/Job +completed in \d+ ms; its 16044 bytes were downloaded and deleted/);
  expect([exitCode, stdout.split("\n").at(-1)]).toEqual([0, "Nothing is wrong."]);
});

test("the doctor reports what is wrong with a system, and what it cannot check", async () => {
  expect(await faultsOf({ apiKey: "sk_wrong" })).toEqual(["API key: The key is unknown here"]);
  expect(await faultsOf({ processorSecret: "a secret of another system, as long as" })).toEqual([
    "Diagnosis: The edge has another PROCESSOR_SECRET",
  ]);
  const nobody = `http://127.0.0.1:${(await freePorts()).port}`;
  expect(await faultsOf({ url: nobody })).toEqual([`Edge: ${nobody} does not answer: ECONNREFUSED`]);
  expect(await faultsOf({ url: system.nodeUrl })).toContain("Version: No OpenAPI document is served");
});

test("the doctor reports a hanging node that still sends heartbeats", async () => {
  const node = (await descendantsOf(system.pid)).find(({ command }) => command.endsWith("processor/main.ts"));
  if (node === undefined) throw new Error("There is no node");
  process.kill(node.pid, "SIGSTOP");
  try {
    expect(await faultsOf({})).toEqual([
      expect.stringMatching(/^Node .*: sends heartbeats, but the edge cannot reach it at http/),
    ]);
  } finally {
    process.kill(node.pid, "SIGCONT");
  }
});

function rotateEncryptionKey() {
  return execa("npm", ["run", "--silent", "rotate-encryption-key"], {
    cwd: repositoryRoot,
    env: { STATE_DIR: stateDir },
    reject: false,
  });
}

test("two systems run side by side without affecting each other", async () => {
  const other = await startSystem(join(folder, "other-state"), await freePorts());
  const otherApi = await openApi(other);
  const url = `${origin.url}/${mediaFiles.mp3}`;
  const [job, otherJob] = await Promise.all([
    api.createJob({ url }).then((id) => api.waitForEnd(id)),
    otherApi.createJob({ url }).then((id) => otherApi.waitForEnd(id)),
  ]);
  expect([job.status, otherJob.status]).toEqual(["Completed", "Completed"]);

  const stranger = await fetch(`${other.url}/jobs/${otherJob.id}`, {
    headers: { "x-api-key": system.apiKey },
  });
  expect(stranger.status).toBe(401);
  expect((await api.ask("GET", `/jobs/${otherJob.id}`)).status).toBe(404);
  await other.end("SIGINT");
  expect((await api.ask("GET", `/jobs/${job.id}`)).status).toBe(200);
});

test("a busy port and a state folder in use are refused with a message", async () => {
  const free = await freePorts();
  const busyEdge = await failToStart(join(folder, "refused"), { ...free, port: ports.port });
  expect(busyEdge).toMatchObject({ code: 1 });
  expect(busyEdge.output).toContain(`Port ${ports.port} is in use by another program`);
  expect(busyEdge.output).not.toMatch(/^\s+at /m);

  const busyNode = await failToStart(join(folder, "refused"), {
    ...free,
    processorPort: ports.processorPort,
  });
  expect(busyNode.output).toContain(`Port ${ports.processorPort} is in use by another program`);

  const sameState = await failToStart(stateDir, free);
  expect(sameState).toMatchObject({ code: 1 });
  expect(sameState.output).toContain(`${stateDir} is in use by another running system`);
});

test("a killed node is restarted, and its job completes", async () => {
  const jobId = await startSlowJob();
  const node = (await descendantsOf(system.pid)).find(({ command }) => command.includes("processor/main.ts"));
  expect(node).toBeDefined();
  const ofNode = await descendantsOf(node?.pid ?? 0);
  process.kill(node?.pid ?? 0, "SIGKILL");

  const job = await api.waitForEnd(jobId);
  expect(job).toMatchObject({ status: "Completed", attempt: 2 });
  expect(system.output()).toContain("The processor node ended (SIGKILL); starting it again");
  expect(await stillRunning(ofNode)).toEqual([]);
});

test("Ctrl-C ends everything, and the next start continues where it left off, even with another encryption key", async () => {
  const { body: webhookSecret } = await api.ask("GET", "/user/webhook-secret");
  expect((await rotateEncryptionKey()).stderr).toContain("is in use by another running system");
  const jobId = await startSlowJob();
  const processes = await descendantsOf(system.pid);
  const commands = processes.map(({ command }) => command).join("\n");
  expect(commands).toContain("workerd serve");
  expect(commands).toContain("processor/main.ts");
  await system.end("SIGINT");
  expect(await stillRunning(processes)).toEqual([]);
  expect(await readdir(join(stateDir, "work"))).toEqual([]);

  const rotated = await rotateEncryptionKey();
  expect(rotated.stdout).toContain("accounts' webhook secrets: 1 re-encrypted, 0 left");
  expect(rotated.exitCode).toBe(0);

  await start();
  expect((await api.ask("GET", "/user/webhook-secret")).body).toEqual(webhookSecret);
  expect(await api.waitForEnd(jobId)).toMatchObject({ status: "Completed" });
});

test("a system that is killed leaves nothing running, and the next start on its state completes its jobs", async () => {
  const { apiKey } = system;
  const finished = await api.waitForEnd(await api.createJob({ url: `${origin.url}/${mediaFiles.mp3}` }));
  const usage = await api.ask("GET", "/usage");
  const jobId = await startSlowJob();
  const processes = await descendantsOf(system.pid);
  await system.end("SIGKILL");

  await start();
  expect(await stillRunning(processes)).toEqual([]);
  expect(system.apiKey).toBe(apiKey);
  const again = await api.ask("GET", `/jobs/${finished.id}`);
  expect(again.body).toMatchObject({ status: "Completed", storage_key: finished.storage_key });
  expect((await fetch(again.body.storage_url)).status).toBe(200);
  expect((await api.ask("GET", "/usage")).body.usage_count).toBe(usage.body.usage_count + 1);
  expect(await api.waitForEnd(jobId)).toMatchObject({ status: "Completed" });
});

test("secrets are in files that only their owner may read, and are not printed", async () => {
  for (const name of ["processor-secret", "encryption-key", "demo-api-key", "edge.env"]) {
    expect((await stat(join(stateDir, name))).mode & 0o077).toBe(0);
  }
  expect(system.output()).not.toContain((await readFile(join(stateDir, "processor-secret"), "utf8")).trim());
});
