import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { type Browser, type BrowserServer, chromium } from "playwright-core";
import { Problem } from "../problem.ts";

/** Starts the Chromium on the PATH, headless. Throws a Problem if there is none. */
export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await findChromium() });
}

/** Starts it for several processes, which connect to its `wsEndpoint()`. */
export async function serveBrowser(): Promise<BrowserServer> {
  return chromium.launchServer({ executablePath: await findChromium() });
}

async function findChromium(): Promise<string> {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    const path = join(folder, "chromium");
    if (await isExecutable(path)) return path;
  }
  throw new Problem("Needed and not found on the PATH: chromium.");
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
