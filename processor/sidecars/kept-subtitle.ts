import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SidecarContext } from "./sidecar-context.ts";
import { writeSmallFile } from "./write-small-file.ts";

/** A listed track, parsed and kept in a file: its segments are joined once the clock of the media is known. */
export interface KeptSubtitle {
  readonly language: string;
  readonly path: string;
}

/** Writes a track's segments to a file in the job's folder, as `readSubtitles` gave them. Rejects like `writeSmallFile`. */
export async function keepSegments(
  language: string,
  segments: string,
  context: SidecarContext,
): Promise<KeptSubtitle> {
  const path = join(context.folder, `listed.${language}.json`);
  await writeSmallFile(path, segments, context);
  return { language, path };
}

/** The segments that `keepSegments` wrote. */
export function readKept({ path }: KeptSubtitle): Promise<string> {
  return readFile(path, "utf8");
}
