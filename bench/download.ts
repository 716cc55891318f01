import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { z } from "zod";
import { provideTools } from "../scripts/local-system/tools.ts";
import { startOrigin } from "../scripts/origin/serve-origin.ts";
import { runScript } from "../scripts/problem.ts";
import { startLimitedLink } from "./engine/limited-link.ts";
import { keepSection } from "../scripts/keep-section.ts";
import { median } from "./median.ts";

// How fast a file is downloaded, compared with curl, alternating in the same run: over a link that all connections
// share, over one that also limits each connection, and without a limit.

const rounds = 3;
const linkBytesPerSecond = 20_000_000;
const connectionBytesPerSecond = 4_000_000;
const readerFile = fileURLToPath(new URL("download/read-url.ts", import.meta.url));

const takenSchema = z.object({ bytes: z.number(), ms: z.number(), cpuSeconds: z.number() });
type Taken = z.infer<typeof takenSchema>;

await runScript(async () => {
  await provideTools();
  const folder = await mkdtemp(join(tmpdir(), "ferry-bench-"));
  const origin = await startOrigin({ folder });
  const link = await startLimitedLink(origin.url, linkBytesPerSecond);
  try {
    const small = await makeFile(join(folder, "small.ts"), 100_000_000);
    const large = await makeFile(join(folder, "large.ts"), 1_000_000_000);
    const rows = [
      await row("the link is the limit", `${link.url}/small.ts`, small),
      await row(
        "each connection is limited to 4 MB/s too",
        `${link.url}/slow/small.ts?bytes_per_second=${connectionBytesPerSecond}`,
        small,
      ),
    ];
    const section = report(rows, await cpuOf(`${origin.url}/large.ts`, large));
    console.log(`\n${section}`);
    await keepSection("docs/benchmarks.md", "Downloading a file", section);
    return 0;
  } finally {
    await Promise.all([link.close(), origin.close()]);
    await rm(folder, { recursive: true, force: true });
  }

  async function row(name: string, url: string, bytes: number): Promise<string> {
    const { ours, curls } = await compare(url, bytes);
    const limitMs = (bytes / linkBytesPerSecond) * 1000;
    const share = (takens: readonly Taken[]) => (median(takens.map(({ ms }) => ms)) / limitMs).toFixed(2);
    return `| ${name} | **${share(ours)}** | ${share(curls)} |`;
  }

  async function cpuOf(url: string, bytes: number): Promise<string> {
    const { ours, curls } = await compare(url, bytes);
    const perGigabyte = (takens: readonly Taken[]) =>
      (median(takens.map(({ cpuSeconds }) => cpuSeconds)) / (bytes / 1e9)).toFixed(2);
    return `${perGigabyte(ours)} s, curl ${perGigabyte(curls)} s`;
  }

  async function compare(url: string, bytes: number): Promise<{ ours: Taken[]; curls: Taken[] }> {
    const ours: Taken[] = [];
    const curls: Taken[] = [];
    for (let round = 0; round < rounds; round++) {
      ours.push(await readHere(url, folder));
      curls.push(await readByCurl(url));
    }
    for (const taken of [...ours, ...curls]) {
      if (taken.bytes !== bytes) throw new Error(`${taken.bytes} bytes came instead of ${bytes}`);
    }
    return { ours, curls };
  }
});

/** Begins like a transport stream, so that it is accepted as media; the rest is empty. */
async function makeFile(path: string, bytes: number): Promise<number> {
  const packets = Buffer.alloc(188 * 4);
  for (let at = 0; at < packets.length; at += 188) packets[at] = 0x47;
  await writeFile(path, packets);
  await truncate(path, bytes);
  return bytes;
}

async function readHere(url: string, folder: string): Promise<Taken> {
  const { stdout } = await execa(process.execPath, [readerFile, url, folder]);
  return takenSchema.parse(JSON.parse(stdout));
}

/** Bash reports the CPU time of a child, which curl does not report itself. */
async function readByCurl(url: string): Promise<Taken> {
  const script = `TIMEFORMAT='%U %S'; time curl -sf -o /dev/null -w '%{size_download} %{time_total}' "$0"`;
  const { stdout, stderr } = await execa("bash", ["-c", script, url]);
  const [bytes = NaN, seconds = NaN] = stdout.split(" ").map(Number);
  const [user = NaN, system = NaN] = stderr.split(" ").map(Number);
  return takenSchema.parse({ bytes, ms: seconds * 1000, cpuSeconds: user + system });
}

function report(rows: readonly string[], cpu: string): string {
  return [
    "A file of 100 MB over a link of 20 MB/s that all connections share, as a job reads it from the source's first",
    "byte to its last, relative to the time that the link needs for as many bytes.",
    "",
    "| Where | Ferry | curl |",
    "| ----- | ----- | ---- |",
    ...rows,
    "",
    `CPU time per GB, for a file of 1 GB without a limit: ${cpu}. Medians of ${rounds} on ${availableParallelism()} cores.`,
  ].join("\n");
}
