import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createByteBudget, type ByteBudget } from "../../../processor/memory/byte-budget.ts";
import { resolveBySystem } from "../../../processor/network/address-guard.ts";
import { startNetwork, type Network } from "../../../processor/network/network.ts";
import { testPatience } from "../network/test-patience.ts";
import type { Downloader } from "../../../processor/source/downloader.ts";
import type { SourceContext } from "../../../processor/source/source-context.ts";
import { warmDownloader } from "./warm-downloader.ts";

/** The dependencies of source tests: the installed downloader, warmed up, and a network that reaches the local origin. */
export interface SourceWorkshop {
  readonly network: Network;
  readonly downloader: Downloader;
  readonly downloadMemory: ByteBudget;
  /** A context with its own folder. */
  context(more?: Partial<SourceContext>): Promise<SourceContext>;
  close(): Promise<void>;
}

/** `program`: the downloader, by default the installed one. */
export async function openSourceWorkshop(program?: string): Promise<SourceWorkshop> {
  const network = await startNetwork({ allowPrivateNetwork: true }, resolveBySystem, 8, testPatience);
  const downloader = await warmDownloader(program);
  const folders: string[] = [];
  const downloadMemory = createByteBudget(64 * 1024 * 1024);
  return {
    network,
    downloader,
    downloadMemory,
    context: async (more) => {
      const folder = await mkdtemp(join(tmpdir(), "ferry-source-"));
      folders.push(folder);
      return {
        network,
        downloader,
        folder,
        signal: new AbortController().signal,
        limits: { source_file_bytes: 1e9, source_silence_ms: 30_000 },
        ...more,
      };
    },
    close: async () => {
      await network.close();
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
    },
  };
}
