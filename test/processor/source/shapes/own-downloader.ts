import { cp, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { findPythonProgram } from "../../../../processor/source/sealed-program/python-program.ts";

/** The yt-dlp under test: a path, or a name on the PATH. */
export const testedDownloader = process.env["YT_DLP_PATH"] ?? "yt-dlp";

const ownExtractor = new URL("../../../programs/python/own_site.py", import.meta.url);
const start = "import yt_dlp\n\nyt_dlp.main()\n";

/**
 * The path of a copy of the tested yt-dlp that also knows the site of `own_site.py`, made once for each version of both.
 */
export async function ownDownloader(): Promise<string> {
  const program = await findPythonProgram(testedDownloader);
  if (program === null) throw new Error(`${testedDownloader} is not a Python program`);
  const { mtimeMs } = await stat(program.path);
  const { mtimeMs: extractorMs } = await stat(ownExtractor);
  const folder = join(tmpdir(), `ferry-own-yt-dlp-${Math.trunc(mtimeMs)}-${Math.trunc(extractorMs)}`);
  const path = join(folder, "yt-dlp");
  if (await stat(path).catch(() => null)) return path;
  const making = `${folder}.${randomUUID()}`;
  await mkdir(making);
  try {
    await copyPackage(program, making);
    await addExtractor(join(making, "yt_dlp", "extractor"));
    await execa(program.interpreter, ["-m", "compileall", "-q", "yt_dlp"], { cwd: making, reject: false });
    await writeFile(join(making, "yt-dlp"), `#!${program.interpreter}\n${start}`, { mode: 0o755 });
    await rename(making, folder).catch(async (error: unknown) => {
      if (!(await stat(path).catch(() => null))) throw error;
    });
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  return path;
}

/** From an archive that is the program itself, or from where its interpreter finds it. */
async function copyPackage(program: { path: string; interpreter: string }, folder: string): Promise<void> {
  const unpack = `import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])`;
  const { exitCode } = await execa(program.interpreter, ["-c", unpack, program.path, folder], {
    reject: false,
  });
  if (exitCode === 0) return;
  const find = "import sys; sys.path.insert(0, sys.argv[1]); import yt_dlp; print(yt_dlp.__file__)";
  const { stdout } = await execa(program.interpreter, ["-c", find, dirname(program.path)]);
  await cp(dirname(stdout.trim()), join(folder, "yt_dlp"), { recursive: true, preserveTimestamps: true });
}

/** Before all others, and without the list that is made of them for a quicker start. */
async function addExtractor(extractors: string): Promise<void> {
  await cp(ownExtractor, join(extractors, "own_site.py"));
  const list = join(extractors, "_extractors.py");
  await writeFile(list, `from .own_site import OwnSiteIE\n${await readFile(list, "utf8")}`);
  await rm(join(extractors, "lazy_extractors.py"), { force: true });
  await rm(join(extractors, "__pycache__", "lazy_extractors.cpython-311.pyc"), { force: true });
}
