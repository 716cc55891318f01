import pMap from "p-map";
import { parseApart } from "../parsing/parse-apart.ts";
import type { ListedOnItsWay } from "./collect-listed.ts";
import { openTracks } from "./extract-tracks.ts";
import { readKept, type KeptSubtitle } from "./kept-subtitle.ts";
import { localSubtitle, localThumbnail, type LocalSidecar } from "./local-sidecar.ts";
import { readSubtitles } from "./make-subtitle.ts";
import { makeThumbnailOfFile } from "./make-thumbnail.ts";
import { orLeftOut } from "./or-left-out.ts";
import type { SidecarPlan } from "./plan-sidecars.ts";
import type { SidecarContext } from "./sidecar-context.ts";
import { writeSmallFile } from "./write-small-file.ts";

/** What has not been made from the media by then is left out. */
const timeMaxMs = 180_000;
const tracksAtOnce = 3;

/**
 * Makes everything that is planned, from listed sidecars and the downloaded files. Whatever fails is left out and
 * logged. Rejects only with the signal's reason. `paths` are the complete downloaded files; none are needed for a plan
 * that takes nothing from them.
 */
export async function collectSidecars(
  plan: SidecarPlan,
  listed: ListedOnItsWay,
  paths: readonly string[],
  context: SidecarContext,
): Promise<LocalSidecar[]> {
  const collected = await listed.finish(context.signal);
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(timeMaxMs)]);
  const within = { ...context, signal };
  const [thumbnail, tracks, subtitles] = await Promise.all([
    collected.thumbnail ?? thumbnailOfFiles(plan, paths, within),
    subtitlesOfTracks(plan, paths, within),
    subtitlesOfListed(collected.subtitles, plan, within),
  ]);
  context.signal.throwIfAborted();
  return [...subtitles, ...tracks, ...(thumbnail === null ? [] : [thumbnail])];
}

async function subtitlesOfListed(
  all: readonly KeptSubtitle[],
  plan: SidecarPlan,
  context: SidecarContext,
): Promise<LocalSidecar[]> {
  const made = await pMap(all, (kept) => subtitle(kept.language, plan, context, () => readKept(kept)), {
    concurrency: 1,
  });
  return made.filter((one) => one !== null);
}

async function subtitlesOfTracks(
  plan: SidecarPlan,
  paths: readonly string[],
  context: SidecarContext,
): Promise<LocalSidecar[]> {
  const extract = openTracks(
    paths,
    plan.tracks.map(({ stream }) => stream),
    context,
  );
  const made = await pMap(
    plan.tracks,
    ({ language, stream }) =>
      subtitle(language, plan, context, async () => readSubtitles([await extract(stream)], context)),
    { concurrency: tracksAtOnce },
  );
  return made.filter((one) => one !== null);
}

/** One subtitle as a file, or null if it is left out. */
function subtitle(
  language: string,
  { mediaStartSeconds }: SidecarPlan,
  context: SidecarContext,
  segments: () => Promise<string>,
): Promise<LocalSidecar | null> {
  return orLeftOut({ sidecar: "subtitle", language }, context, async () => {
    const local = localSubtitle(context.folder, language);
    const track = { segments: await segments(), startSeconds: mediaStartSeconds };
    const text = await parseApart("joinedSubtitle", track, context.signal);
    return { ...local, bytes: await writeSmallFile(local.path, text, context) };
  });
}

/** From the first usable picture. */
async function thumbnailOfFiles(
  { pictures }: SidecarPlan,
  paths: readonly string[],
  context: SidecarContext,
): Promise<LocalSidecar | null> {
  const thumbnail = localThumbnail(context.folder);
  for (const picture of pictures) {
    const made = await orLeftOut({ sidecar: "thumbnail" }, context, () =>
      makeThumbnailOfFile(picture, paths, thumbnail.path, context),
    );
    if (made !== null) return { ...thumbnail, ...made };
  }
  return null;
}
