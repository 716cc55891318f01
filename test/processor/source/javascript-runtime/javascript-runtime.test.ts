import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { chmod, copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createLog } from "../../../../processor/log.ts";
import { startNetwork, type Network } from "../../../../processor/network/network.ts";
import { describingArguments } from "../../../../processor/source/downloader-arguments.ts";
import {
  openDownloader,
  type DownloaderRun,
  type OpenedDownloader,
} from "../../../../processor/source/downloader.ts";
import {
  keepForkServer,
  type KeptForkServer,
} from "../../../../processor/source/fork-server/keep-fork-server.ts";
import { provideCurrentDownloader } from "../../../../scripts/tests/current-tools.ts";
import { startTestHost, type TestHost } from "../../../origin/test-host.ts";

const programs = fileURLToPath(new URL("../../../programs", import.meta.url));
/** Without Debian's packages, only older versions may be here, which run no scripts of pages. */
const provided = await provideCurrentDownloader().catch(() => null);
const mebibyte = 1024 * 1024;

describe.skipIf(provided === null)("a current yt-dlp with an extractor that runs a page's script", () => {
  let root: string;
  let host: TestHost;
  let network: Network;
  let server: KeptForkServer;
  let forked: OpenedDownloader;
  let started: OpenedDownloader;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "ferry-runtime-"));
    const program = join(root, "yt-dlp");
    await copyFile(join(provided ?? "", "yt-dlp"), program);
    await chmod(program, 0o755);
    await execa("python3", [join(programs, "add_extractor.py"), program, join(programs, "scripted_site.py")]);
    [host, network] = await Promise.all([startTestHost(), startNetwork({ allowPrivateNetwork: true })]);
    server = keepForkServer(program, createLog("error", "node"));
    await server.start(root);
    forked = await openDownloader(program, async (args, run) => {
      await vi.waitUntil(() => server.loaded() !== null, { timeout: 60_000 });
      return server.run(args, run);
    });
    started = await openDownloader(program, async () => null);
  });
  afterAll(async () => {
    await Promise.all([server.close(), host.close(), network.close()]);
    await rm(root, { recursive: true });
  });

  /** Describes a page that consists of a script, which prints the address of its media. */
  async function look(downloader: OpenedDownloader, script: string, bounds: Partial<DownloaderRun> = {}) {
    const folder = await mkdtemp(join(root, "job-"));
    const name = folder.replace(/.*\W/, "");
    host.answers[`/scripted/${name}`] = script;
    const way = { downloader, proxyUrl: network.proxyUrl, silenceMs: 30_000 };
    const ended = downloader.run(describingArguments(`${host.url}/scripted/${name}`, way), {
      folder,
      signal: new AbortController().signal,
      deadlineMs: 60_000,
      stdoutMaxBytes: mebibyte,
      fileMaxBytes: mebibyte,
      ...bounds,
    });
    return { folder, ended };
  }

  /** What the script printed, as the address of the page's media. */
  async function printed(downloader: OpenedDownloader, script: string): Promise<string> {
    const { exitCode, stdout, stderr } = await (await look(downloader, script)).ended;
    expect([exitCode, stderr]).toEqual([0, ""]);
    return JSON.parse(stdout).url;
  }

  /** Numbers, since objects take the collector longer. */
  const filling = (bytes: number) => `
    const kept = [];
    while (process.memoryUsage().heapUsed < ${bytes}) kept.push(Array(100_000).fill(0.5));
    console.log("https://media.example/full");`;

  test("is sealed, and finds the media's address, forked or started", async () => {
    expect(forked).toMatchObject({ isSealed: true, javascriptRuntime: `node ${process.versions.node}` });
    const script = 'console.log("https://media.example/" + [3, 2, 1].reverse().join(""));';
    expect(await printed(forked, script)).toBe("https://media.example/123");
    expect(await printed(started, script)).toBe("https://media.example/123");
    expect(server.loaded()).toMatchObject({ isSealed: true });
  });

  test("has room for six scripts at once, one of them with 500 MB of heap and the others with WebAssembly", async () => {
    const wasm = `
      const memory = new WebAssembly.Memory({ initial: 16, maximum: 1024 });
      console.log("https://media.example/" + memory.buffer.byteLength);`;
    const all = await Promise.all([
      printed(forked, filling(500e6)),
      printed(started, wasm),
      ...Array.from({ length: 4 }, () => printed(forked, wasm)),
    ]);
    const reserved = `https://media.example/${16 * 65_536}`;
    expect(all).toEqual(["https://media.example/full", ...Array.from({ length: 5 }, () => reserved)]);
  });

  test("gives a script no file, program, thread or environment", async () => {
    const script = `
      const said = [];
      const attempt = (name, act) => { try { act(); said.push(name); } catch (error) { said.push(error.code); } };
      attempt("read", () => require("node:fs").readFileSync("/etc/hostname"));
      attempt("write", () => require("node:fs").writeFileSync("left", ""));
      attempt("program", () => require("node:child_process").execSync("true"));
      attempt("thread", () => new (require("node:worker_threads").Worker)("", { eval: true }));
      console.log("https://media.example/" + said + "/" + Object.keys(process.env));`;
    const denied = Array.from({ length: 4 }, () => "ERR_ACCESS_DENIED").join();
    expect(await printed(forked, script)).toBe(`https://media.example/${denied}/`);
  });

  test("ends a script that fills its heap, and fails", async () => {
    const script = filling(Number.MAX_SAFE_INTEGER);
    const end = await (await look(forked, script)).ended;
    expect(end).toMatchObject({ outcome: "exited", exitCode: 1 });
    expect(end.stderr).toContain("heap out of memory");
  });

  test("ends a script that runs on at its limit of processor time, and fails", async () => {
    const { ended } = await look(forked, "for (;;);", { processorMs: 3000 });
    expect(await ended).toMatchObject({ outcome: "exited", exitCode: 1 });
  });

  test.each([
    ["forked", () => forked],
    ["started", () => started],
  ])("is killed with its script, if %s", async (_, downloader) => {
    const controller = new AbortController();
    const { folder, ended } = await look(downloader(), "for (;;);", { signal: controller.signal });
    const killed = expect(ended).rejects.toThrow("cancelled");
    const pid = await vi.waitUntil(() => runtimeIn(folder), { timeout: 30_000 });
    controller.abort(new Error("cancelled"));
    await killed;
    await vi.waitUntil(() => runtimeIn(folder) !== pid, { timeout: 10_000 });
  });
});

/** The id of the Node that runs a script from its standard input in a folder; 0: none. */
function runtimeIn(folder: string): number {
  const isIt = (pid: string) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      return command.endsWith("\0-\0") && readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false;
    }
  };
  return Number(readdirSync("/proc").find((name) => /^\d+$/.test(name) && isIt(name)) ?? 0);
}
