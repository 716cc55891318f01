import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { createLog } from "../../../processor/log.ts";
import { openDownloader, type Downloader } from "../../../processor/source/downloader.ts";
import { keepForkServer } from "../../../processor/source/fork-server/keep-fork-server.ts";

/** The downloader, by default the installed one, whose fork server is ready. A run that it does not accept is an error. */
export async function openWarmDownloader(
  program = "yt-dlp",
): Promise<{ downloader: Downloader; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "ferry-warm-"));
  const server = keepForkServer(program, createLog("error", "node"));
  await server.start(folder);
  const signal = new AbortController().signal;
  const bounds = { folder, signal, deadlineMs: 60_000, stdoutMaxBytes: 1000, fileMaxBytes: 1000 };
  await vi.waitUntil(() => server.run(["--ignore-config", "--version"], bounds), { timeout: 60_000 });
  const downloader = await openDownloader(program, async (args, run) => {
    const end = await server.run(args, run);
    if (end === null) throw new Error("the fork server took no run");
    return end;
  });
  return {
    downloader,
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}
