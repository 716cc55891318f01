import { createByteBudget } from "../../processor/memory/byte-budget.ts";
import { startNetwork } from "../../processor/network/network.ts";
import { openFile } from "../../processor/download/open-file.ts";
import { openDownloader } from "../../processor/source/downloader.ts";
import { resolveSource } from "../../processor/source/resolve-source.ts";

// Reads a media file to its end like a job does, and prints the CPU seconds that reading took.

const [url = "", folder = ""] = process.argv.slice(2);
const network = await startNetwork({ allowPrivateNetwork: true });
const context = {
  network,
  folder,
  downloader: await openDownloader("yt-dlp", async () => null),
  signal: new AbortController().signal,
  limits: { source_file_bytes: 1e12, source_silence_ms: 60_000 },
};
const before = process.cpuUsage();
const source = await resolveSource(url, context);
const [format] = source.formats;
if (format === undefined) throw new Error("the source has no format");
const downloadMemory = createByteBudget(64 * 1024 * 1024);
const { chunks } = openFile(format, source, {
  ...context,
  downloadMemory,
  disk: { takeNow: () => {}, give: () => {} },
  onBytes: () => {},
});
const begunMs = performance.now();
let bytes = 0;
for await (const chunk of chunks) bytes += chunk.length;
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ bytes, ms: performance.now() - begunMs, cpuSeconds: (user + system) / 1e6 }));
await network.close();
