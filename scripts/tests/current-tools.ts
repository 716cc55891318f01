import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";

/** Folders for the front of the PATH, each with programs newer than those that Debian 12 has. */
export interface CurrentTools {
  /** Contains a recent `yt-dlp`, as one file like the makers' release. */
  readonly ytDlp: string;
  /** Contain Debian 13's `ffmpeg` and `ffprobe`, and those of the next Debian. */
  readonly ffmpeg7: string;
  readonly ffmpegNewest: string;
}

type ToolName = keyof CurrentTools;

const processorTests = ["download", "pipeline", "shows", "source"];
const ffmpegTests = ["mux", "pipeline", "remux", "sidecars", "verify"];

/** What to run with which of the tools: test files of the projects `node` and `media`, as vitest's filters. */
export const toolRuns: readonly { readonly tool: ToolName; readonly files: readonly string[] }[] = [
  { tool: "ytDlp", files: processorTests.map((folder) => `test/processor/${folder}/`) },
  { tool: "ffmpeg7", files: ffmpegTests.map((folder) => `test/processor/${folder}/`) },
  { tool: "ffmpegNewest", files: ffmpegTests.map((folder) => `test/processor/${folder}/`) },
];

const cache = fileURLToPath(new URL("../../node_modules/.cache/ferry-tools", import.meta.url));
const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";
const refreshAfterMs = 30 * 24 * 60 * 60 * 1000;
const aptMaxMs = 300_000;

/**
 * Provides all of them, from Debian's newer suites by apt-get, without installing anything: unpacked into a cache that is
 * used for a month. Needs Debian, but not root. Rejects if they cannot be had.
 */
export async function provideCurrentTools(): Promise<CurrentTools> {
  return {
    ytDlp: await provideCurrentDownloader(),
    ffmpeg7: await provideFfmpeg("trixie"),
    ffmpegNewest: await provideFfmpeg("sid"),
  };
}

/** Only a recent yt-dlp, a download of about 3 MB. */
export function provideCurrentDownloader(): Promise<string> {
  return cached("yt-dlp", async (folder) => {
    await unpack(folder, { suite: "trixie-backports", packageName: "yt-dlp", withLibraries: false });
    const packages = join(folder, "root", "usr", "lib", "python3", "dist-packages");
    const start = "import sys\nimport yt_dlp\nsys.exit(yt_dlp.main())\n";
    await writeFile(join(packages, "__main__.py"), start);
    const program = join(folder, "yt-dlp");
    await execa("python3", [
      "-m",
      "zipapp",
      packages,
      "--compress",
      "--python",
      "/usr/bin/env python3",
      "--output",
      program,
    ]);
    await rm(join(folder, "root"), { recursive: true });
  });
}

/** With its own C library, since it is built for a newer one than this machine may have. */
function provideFfmpeg(suite: string): Promise<string> {
  return cached(`ffmpeg-${suite}`, async (folder) => {
    await unpack(folder, { suite, packageName: "ffmpeg", withLibraries: true });
    for (const name of ["ffmpeg", "ffprobe"]) {
      const program = join(folder, name);
      await writeFile(program, startWithLibraries(name));
      await chmod(program, 0o755);
    }
  });
}

function startWithLibraries(name: string): string {
  return `#!/bin/sh
root=$(dirname "$0")/root/usr
set -- "$root/bin/${name}" "$@"
libraries=$(echo "$root"/lib/*-linux-gnu)
exec "$libraries"/ld-linux-*.so.* --library-path "$libraries:$libraries/blas:$libraries/lapack:$libraries/pulseaudio" "$@"
`;
}

/** The cache's folder of that name, which is either complete or not there. */
async function cached(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(cache, name);
  if (Date.now() - (await changedAtMs(folder)) < refreshAfterMs) return folder;
  await mkdir(cache, { recursive: true });
  const filling = await mkdtemp(join(cache, `.${name}-`));
  try {
    await fill(filling);
    await rm(folder, { recursive: true, force: true });
    await rename(filling, folder);
  } catch (error) {
    // Somebody else has filled it meanwhile.
    if (!(error instanceof Error && "code" in error && error.code === "ENOTEMPTY")) throw error;
  } finally {
    await rm(filling, { recursive: true, force: true });
  }
  return folder;
}

async function changedAtMs(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

interface Wanted {
  readonly suite: string;
  readonly packageName: string;
  /** All packages that it depends on as well, as if nothing were installed. */
  readonly withLibraries: boolean;
}

/** Unpacks a package, verified by apt-get, into `root` in the folder. */
async function unpack(folder: string, { suite, packageName, withLibraries }: Wanted): Promise<void> {
  const own = (name: string) => join(folder, "apt", name);
  for (const name of ["lists/partial", "archives/partial"]) await mkdir(own(name), { recursive: true });
  await writeFile(
    own("sources.list"),
    `deb [signed-by=${keyring}] https://deb.debian.org/debian ${suite} main\n`,
  );
  await writeFile(own("status"), "");
  const settings = {
    "Dir::Etc::SourceList": own("sources.list"),
    "Dir::Etc::SourceParts": "-",
    "Dir::State": own(""),
    "Dir::State::Lists": own("lists"),
    "Dir::State::Status": own("status"),
    "Dir::Cache": own(""),
    "APT::Sandbox::User": "root",
    "APT::Get::List-Cleanup": "false",
    "Debug::NoLocking": "true",
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
  const aptGet = (...args: string[]) =>
    execa("apt-get", [...options, ...args], { cwd: own("archives"), timeout: aptMaxMs, stdin: "ignore" });
  await aptGet("update");
  if (withLibraries)
    await aptGet("install", "--download-only", "--yes", "--no-install-recommends", packageName);
  else await aptGet("download", packageName);
  const archives = (await readdir(own("archives"))).filter((name) => name.endsWith(".deb"));
  for (const name of archives)
    await execa("dpkg-deb", ["-x", join(own("archives"), name), join(folder, "root")]);
  await rm(own(""), { recursive: true });
}
