import { matchingArguments } from "./downloader-arguments.ts";
import type { Downloader, DownloaderRun } from "./downloader.ts";

/** Many times what comparing an address with every site's pattern takes, and less than a pattern made to backtrack. */
const matchBounds = { deadlineMs: 60_000, processorMs: 10_000 } as const;
/** Several times the names of all sites. */
const listMaxBytes = 1024 * 1024;

/** The extractor for pages of sites that no other extractor is for. */
const genericName = "generic";

/**
 * True if the downloader has an extractor for the site at this URL, judging by the URL alone: nothing is requested.
 * False also if it cannot tell. Rejects with the signal's reason when aborted.
 */
export async function isKnownAddress(
  url: string,
  { downloader, folder, signal }: { downloader: Downloader } & Pick<DownloaderRun, "folder" | "signal">,
): Promise<boolean> {
  const { outcome, exitCode, stdout } = await downloader.run(matchingArguments(url, downloader), {
    folder,
    signal,
    ...matchBounds,
    stdoutMaxBytes: listMaxBytes,
    fileMaxBytes: 0,
  });
  return outcome === "exited" && exitCode === 0 && extractorsFor(url, stdout).some(isSpecific);
}

/** The names after which the URL is listed, indented. */
export function extractorsFor(url: string, list: string): string[] {
  const lines = list.split("\n");
  return lines.filter((_, index) => lines[index + 1] === `  ${url}`);
}

function isSpecific(name: string): boolean {
  return name !== genericName;
}
