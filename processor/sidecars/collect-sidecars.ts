import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sidecar } from "../../contracts/file-facts.ts";
import { extractTrack } from "./extract-tracks.ts";
import { fetchSubtitle } from "./fetch-listed.ts";
import { makeSubtitle } from "./make-subtitle.ts";
import { makeThumbnail } from "./make-thumbnail.ts";
import { subtitleSuffix, thumbnailSuffix, type PlannedSubtitle, type SidecarPlan } from "./plan-sidecars.ts";
import type { SidecarContext } from "./sidecar-context.ts";

/** A sidecar as a file in the job's folder. */
export interface LocalSidecar extends Pick<Sidecar, "kind" | "language" | "bytes"> {
  readonly suffix: string;
  readonly path: string;
}

/** What is not there by then is left out. */
const timeMaxMs = 180_000;
const subtitlesAtOnce = 3;

/**
 * Fetches, extracts and converts what is planned. What cannot be had is left out, with a line in the log: it is no
 * reason to lose the media. Rejects with the signal's reason only. `paths` are the fetched files, whole.
 */
export async function collectSidecars(
  plan: SidecarPlan,
  paths: readonly string[],
  context: SidecarContext,
): Promise<LocalSidecar[]> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(timeMaxMs)]);
  const within = { ...context, signal };
  const [thumbnail, subtitles] = await Promise.all([
    collectThumbnail(plan, paths, within),
    collectSubtitles(plan, paths, within),
  ]);
  context.signal.throwIfAborted();
  return [...subtitles, ...thumbnail];
}

async function collectSubtitles(
  { subtitles, mediaStartSeconds }: SidecarPlan,
  paths: readonly string[],
  context: SidecarContext,
): Promise<LocalSidecar[]> {
  const waiting = subtitles.values();
  const collected = new Map<PlannedSubtitle, LocalSidecar>();

  async function collectWaiting(): Promise<void> {
    for (const subtitle of waiting) {
      const { language } = subtitle;
      await orLeftOut({ sidecar: "subtitle", language }, context, async () => {
        const suffix = subtitleSuffix(language);
        const path = join(context.folder, `sidecar.${suffix}`);
        const text = await makeSubtitle(await filesOf(subtitle, paths, context), mediaStartSeconds, context);
        await writeFile(path, text);
        collected.set(subtitle, { kind: "subtitle", language, suffix, path, bytes: Buffer.byteLength(text) });
      });
    }
  }

  await Promise.all(Array.from({ length: subtitlesAtOnce }, collectWaiting));
  return subtitles.flatMap((subtitle) => collected.get(subtitle) ?? []);
}

async function filesOf(
  { from }: PlannedSubtitle,
  paths: readonly string[],
  context: SidecarContext,
): Promise<Buffer[]> {
  if ("content" in from) return fetchSubtitle(from.content, context);
  const path = paths[from.track.input];
  if (path === undefined) throw new RangeError(`There is no file ${from.track.input}`);
  return [await extractTrack(path, from.track, context)];
}

/** The first picture that can be had. */
async function collectThumbnail(
  { pictures }: SidecarPlan,
  paths: readonly string[],
  context: SidecarContext,
): Promise<LocalSidecar[]> {
  const path = join(context.folder, `sidecar.${thumbnailSuffix}`);
  for (const picture of pictures) {
    const made = await orLeftOut({ sidecar: "thumbnail" }, context, async () => {
      await makeThumbnail(picture, paths, path, context);
      return (await stat(path)).size;
    });
    if (made === null) continue;
    return [{ kind: "thumbnail", language: null, suffix: thumbnailSuffix, path, bytes: made }];
  }
  return [];
}

async function orLeftOut<Result>(
  what: Readonly<Record<string, string>>,
  { log, signal }: SidecarContext,
  collect: () => Promise<Result>,
): Promise<Result | null> {
  if (signal.aborted) return null;
  try {
    return await collect();
  } catch (error) {
    log.warn({ ...what, err: error }, "a sidecar is left out");
    return null;
  }
}
