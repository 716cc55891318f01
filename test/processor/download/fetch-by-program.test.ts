import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { fetchByProgram, readProgress } from "../../../processor/download/fetch-by-program.ts";
import { createByteBudget } from "../../../processor/memory/byte-budget.ts";
import { resolveBySystem } from "../../../processor/network/address-guard.ts";
import { testPatience } from "../network/test-patience.ts";
import { startNetwork } from "../../../processor/network/network.ts";
import { SourceTooSlow } from "../../../processor/network/source-pace.ts";
import type { DownloaderRun } from "../../../processor/source/downloader.ts";
import { formatAt } from "./test-format.ts";

afterEach(() => void vi.useRealTimers());

test("a source that trickles through the downloader is aborted after minutes", async () => {
  const network = await startNetwork({ allowPrivateNetwork: true });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const begunMs = performance.now();
  const run = async (_args: readonly string[], { onLine, signal }: DownloaderRun) => {
    for (let received = 1024; ; received += 1024) {
      await vi.advanceTimersByTimeAsync(30_000);
      onLine?.(`progress:${received} NA NA`);
      signal.throwIfAborted();
    }
  };
  const [format, source] = formatAt("http://a.example/media");
  const fetched = fetchByProgram(
    format,
    { ...source, infoPath: "description.json" },
    {
      network,
      downloader: { safeFlags: [], run },
      folder: "/nowhere",
      fileName: "file",
      signal: new AbortController().signal,
      limits: { source_file_bytes: 1e9, source_silence_ms: 60_000 },
      downloadMemory: createByteBudget(0),
      disk: { takeNow: () => {}, give: () => {} },
      onBytes: () => {},
    },
  );
  await expect(fetched).rejects.toThrow(SourceTooSlow);
  expect(performance.now() - begunMs).toBeLessThan(20 * 60_000);
  vi.useRealTimers();
  await network.close();
});

test("a program whose source asks for a pause is run again, and its file counts once", async () => {
  const network = await startNetwork({ allowPrivateNetwork: true }, resolveBySystem, 8, testPatience);
  const folder = await mkdtemp(join(tmpdir(), "ferry-fetch-"));
  const stderr = "ERROR: unable to download video data: HTTP Error 429: Too Many Requests";
  let runs = 0;
  const run = async (_args: readonly string[], { onLine }: DownloaderRun) => {
    runs += 1;
    onLine?.("progress:3 NA NA");
    await writeFile(join(folder, "file"), "new");
    const isBusy = runs < 4;
    return { outcome: "exited", stdout: "", exitCode: isBusy ? 1 : 0, stderr: isBusy ? stderr : "" } as const;
  };
  let onDisk = 0;
  const [format, source] = formatAt("http://a.example/media");
  const fetched = await fetchByProgram(
    format,
    { ...source, infoPath: "description.json" },
    {
      network,
      downloader: { safeFlags: [], run },
      folder,
      fileName: "file",
      signal: new AbortController().signal,
      limits: { source_file_bytes: 1e9, source_silence_ms: 60_000 },
      downloadMemory: createByteBudget(0),
      disk: { takeNow: (bytes) => (onDisk += bytes), give: (bytes) => (onDisk -= bytes) },
      onBytes: () => {},
    },
  );
  expect([runs, fetched.bytes, onDisk]).toEqual([4, 3, 3]);
  await rm(folder, { recursive: true });
  await network.close();
});

test.each([
  ["progress:100 1000 NA", { received: 100, total: 1000 }],
  ["progress:100 NA 1000.4", { received: 100, total: 1000 }],
  ["progress:100 NA NA", { received: 100, total: null }],
  ["progress:NA NA NA", null],
  ["WARNING: something", null],
  ["", null],
])("%j is read as %j", (line, progress) => {
  expect(readProgress(line)).toEqual(progress);
});
