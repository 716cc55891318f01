import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { createLog } from "../../../processor/log.ts";
import { openDownloader, type Downloader } from "../../../processor/source/downloader.ts";
import { keepForkServer } from "../../../processor/source/fork-server/keep-fork-server.ts";

const opened = new Map<string, Promise<Downloader>>();

/**
 * The downloader, by default the installed one, whose fork server is ready. A run that it does not accept is an error.
 * The files that run in one process share it, since starting it takes longer than most of their tests; it ends with the
 * process.
 */
export function warmDownloader(program = "yt-dlp"): Promise<Downloader> {
  const downloader = opened.get(program) ?? open(program);
  opened.set(program, downloader);
  return downloader;
}

async function open(program: string): Promise<Downloader> {
  const folder = mkdtempSync(join(tmpdir(), "ferry-warm-"));
  process.once("exit", () => rmSync(folder, { recursive: true }));
  const server = keepForkServer(program, createLog("error", "node"));
  await server.start(folder);
  const signal = new AbortController().signal;
  const bounds = { folder, signal, deadlineMs: 60_000, stdoutMaxBytes: 1000, fileMaxBytes: 1000 };
  await vi.waitUntil(() => server.run(["--ignore-config", "--version"], bounds), { timeout: 60_000 });
  return openDownloader(program, async (args, run) => {
    const end = await server.run(args, run);
    if (end === null) throw new Error("the fork server took no run");
    return end;
  });
}
