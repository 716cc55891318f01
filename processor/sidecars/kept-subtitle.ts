import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { SidecarContext } from "./sidecar-context.ts";
import { webVttSchema, type WebVtt } from "./web-vtt.ts";
import { writeSmallFile } from "./write-small-file.ts";

/** A listed track, parsed and kept in a file: its segments are joined once the clock of the media is known. */
export interface KeptSubtitle {
  readonly language: string;
  readonly path: string;
}

/** Writes a track's parsed segments to a file in the job's folder. Rejects like `writeSmallFile`. */
export async function keepSegments(
  language: string,
  segments: readonly WebVtt[],
  context: SidecarContext,
): Promise<KeptSubtitle> {
  const path = join(context.folder, `listed.${language}.json`);
  await writeSmallFile(path, JSON.stringify(segments), context);
  return { language, path };
}

/** The segments that `keepSegments` wrote. */
export async function readKept({ path }: KeptSubtitle): Promise<WebVtt[]> {
  return z.array(webVttSchema).parse(JSON.parse(await readFile(path, "utf8")));
}
