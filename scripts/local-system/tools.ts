import { access } from "node:fs/promises";
import { execa } from "execa";
import { Problem } from "../problem.ts";
import { showProgress } from "../progress-line.ts";

interface Tool {
  readonly program: string;
  /** The package that contains it. */
  readonly packageName: string;
  /** An argument with which it does nothing. */
  readonly harmless: string;
}

/** The programs that a node runs. */
export const nodeTools: readonly Tool[] = [
  { program: "ffmpeg", packageName: "ffmpeg", harmless: "-version" },
  { program: "ffprobe", packageName: "ffmpeg", harmless: "-version" },
  { program: "yt-dlp", packageName: "yt-dlp", harmless: "--version" },
];

/** The browser for testing and showing the dashboard. */
export const browserTool: Tool = { program: "chromium", packageName: "chromium", harmless: "--version" };

const aptGet = "/usr/bin/apt-get";

/** Makes sure that the programs are installed: installs them as root on Debian, otherwise a Problem says how to. */
export async function provideTools(tools: readonly Tool[] = nodeTools): Promise<void> {
  const missing = await findMissing(tools);
  if (missing.length === 0) return;
  const packageNames = [...new Set(missing.map((tool) => tool.packageName))];
  if (!(await canInstall())) throw new Problem(howToInstall(packageNames));
  await showProgress(`Installing ${packageNames.join(" and ")} with apt-get`, () => install(packageNames));
  const stillMissing = await findMissing(tools);
  if (stillMissing.length > 0) throw new Problem(howToInstall(packageNames));
}

async function findMissing(tools: readonly Tool[]): Promise<Tool[]> {
  const present = await Promise.all(tools.map((tool) => answers(tool.program, tool.harmless)));
  return tools.filter((_, index) => !present[index]);
}

async function answers(program: string, argument: string): Promise<boolean> {
  const { exitCode } = await execa(program, [argument], { reject: false, stdin: "ignore" });
  return exitCode === 0;
}

async function canInstall(): Promise<boolean> {
  if (process.getuid?.() !== 0) return false;
  return access(aptGet).then(
    () => true,
    () => false,
  );
}

async function install(packageNames: readonly string[]): Promise<void> {
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const lockWait = ["-o", "DPkg::Lock::Timeout=300"];
  for (const args of [["update"], ["install", "-y", ...packageNames]]) {
    const result = await execa(aptGet, [...lockWait, ...args], {
      env,
      reject: false,
      all: true,
      stdin: "ignore",
    });
    if (result.exitCode !== 0) {
      throw new Problem(`${result.all ?? result.message}\napt-get failed. ${howToInstall(packageNames)}`);
    }
  }
}

/** What to tell users whose machine lacks the packages and who have to install them themselves. */
export function howToInstall(packageNames: readonly string[]): string {
  const names = packageNames.join(" ");
  return [
    `Needed and not found on the PATH: ${packageNames.join(", ")}. Install and run the command again:`,
    `  Debian, Ubuntu:  sudo apt-get update && sudo apt-get install -y ${names}`,
    `  macOS:           brew install ${names}`,
  ].join("\n");
}
