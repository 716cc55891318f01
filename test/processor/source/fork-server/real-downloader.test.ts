import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createLog } from "../../../../processor/log.ts";
import { listeningPort } from "../../../../processor/network/listening-port.ts";
import { startNetwork, type Network } from "../../../../processor/network/network.ts";
import { describeMedia } from "../../../../processor/source/describe-media.ts";
import { openDownloader, type Downloader } from "../../../../processor/source/downloader.ts";
import {
  keepForkServer,
  type KeptForkServer,
} from "../../../../processor/source/fork-server/keep-fork-server.ts";
import { mediaFiles } from "../../../../scripts/origin/make-media.ts";
import type { Origin } from "../../../../scripts/origin/serve-origin.ts";
import { startTestOrigin, testMediaFolder } from "../../../origin/test-origin.ts";

let origin: Origin;
/** Leaves every request unanswered until it is opened. */
let gate: Server;
let held: ServerResponse[];
let isOpen: boolean;
let network: Network;
let root: string;
let server: KeptForkServer;
let downloader: Downloader;
/** Number of runs that the fork server completed. */
let forkedRuns: number;

beforeAll(async () => {
  [origin, network] = await Promise.all([startTestOrigin(), startNetwork({ allowPrivateNetwork: true })]);
});
afterAll(async () => {
  await Promise.all([origin.close(), network.close()]);
});
beforeEach(async () => {
  held = [];
  isOpen = false;
  gate = createServer((_, response) => void (isOpen ? answer(response) : held.push(response)));
  await new Promise<void>((resolve) => gate.listen(0, "127.0.0.1", resolve));
  root = await mkdtemp(join(tmpdir(), "ferry-real-downloader-"));
  server = keepForkServer("yt-dlp", createLog("error", "node"));
  forkedRuns = 0;
  downloader = await openDownloader("yt-dlp", async (args, run) => {
    const end = await server.run(args, run);
    if (end !== null) forkedRuns += 1;
    return end;
  });
});
afterEach(async () => {
  await server.close();
  gate.closeAllConnections();
  gate.close();
  await rm(root, { recursive: true });
});

async function describe(path: string) {
  return describeUrl(`${origin.url}/${path}`);
}

async function describeUrl(url: string) {
  const folder = await mkdtemp(join(root, "job-"));
  const limits = { source_file_bytes: 1e9, source_silence_ms: 30_000 };
  const signal = new AbortController().signal;
  const source = describeMedia(url, { network, downloader, folder, signal, limits });
  return { folder, source };
}

const gateUrl = () => `http://127.0.0.1:${listeningPort(gate)}/watch`;

function answer(response: ServerResponse): void {
  const body = readFileSync(join(testMediaFolder, mediaFiles.page), "utf8");
  response.setHeader("content-type", "text/html").end(body);
}

function openGate(): void {
  isOpen = true;
  held.forEach(answer);
}

async function warmUp(): Promise<void> {
  await server.start(root);
  await vi.waitUntil(
    async () => {
      await (
        await describe(mediaFiles.hls)
      ).source;
      return forkedRuns > 0;
    },
    { timeout: 60_000 },
  );
}

/** The process that works in a folder, once it exists. */
function workerIn(folder: string): Promise<number> {
  const works = (pid: string) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false;
    }
  };
  const find = () => Number(readdirSync("/proc").find((name) => /^\d+$/.test(name) && works(name)) ?? 0);
  return vi.waitUntil(find, { timeout: 20_000, interval: 5 });
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

test.each([mediaFiles.page, mediaFiles.hls, mediaFiles.dash])(
  "the description of %s is the same, forked or started",
  async (path) => {
    const started = await describe(path);
    await started.source;
    await warmUp();
    const before = forkedRuns;
    const forked = await describe(path);
    await forked.source;
    expect(forkedRuns).toBe(before + 1);
    // The time of the description, and the browser that it claims to be, chosen at random once per process.
    const description = (folder: string) =>
      readFileSync(join(folder, "description.json"), "utf8").replaceAll(
        /"epoch":\d+|Mozilla\/5\.0[^"]*/g,
        "",
      );
    expect(description(forked.folder)).toBe(description(started.folder));
  },
);

test("sixteen at once are all described, while one more that hangs is killed", async () => {
  await warmUp();
  const before = forkedRuns;
  const hanging = await describeUrl(gateUrl());
  const killed = expect(hanging.source).rejects.toThrow("the downloader broke");
  const pid = await workerIn(hanging.folder);
  const all = await Promise.all(Array.from({ length: 16 }, () => describe(mediaFiles.hls)));
  process.kill(pid, "SIGKILL");
  const sources = await Promise.all(all.map(({ source }) => source));
  expect(sources.every(({ formats }) => formats.length > 0)).toBe(true);
  await killed;
  expect(forkedRuns).toBe(before + 17);
});

test("runs are restarted and completed if the server is killed", async () => {
  await warmUp();
  const before = forkedRuns;
  const all = await Promise.all(Array.from({ length: 3 }, () => describeUrl(gateUrl())));
  const pids = await Promise.all(all.map(({ folder }) => workerIn(folder)));
  process.kill(parentOf(pids[0] ?? 0), "SIGKILL");
  openGate();
  const sources = await Promise.all(all.map(({ source }) => source));
  expect(sources.every(({ formats }) => formats.length > 0)).toBe(true);
  expect(forkedRuns).toBe(before);
});
