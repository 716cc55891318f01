import pMap from "p-map";
import { orAborted } from "../pipeline/or-aborted.ts";
import { fetchSubtitle } from "./fetch-listed.ts";
import { localThumbnail, type LocalSidecar } from "./local-sidecar.ts";
import { readSubtitles } from "./make-subtitle.ts";
import { makeThumbnailOfListed } from "./make-thumbnail.ts";
import { keepSegments, type KeptSubtitle } from "./kept-subtitle.ts";
import { orLeftOut } from "./or-left-out.ts";
import type { ListedPlan } from "./plan-sidecars.ts";
import type { SidecarContext } from "./sidecar-context.ts";

/**
 * The sidecars that the source lists, fetched while the media is. Everything is either a file in the job's folder or in
 * this process's memory: if either is lost, the next attempt starts over.
 */
export interface ListedCollection {
  /** Starts fetching, on the first call. */
  start(): ListedOnItsWay;
  /** Ends it; resolves when nothing of it is running any more. */
  close(): Promise<void>;
}

export interface ListedOnItsWay {
  /** The first picture that could be fetched; null if none could. Never rejects. */
  readonly thumbnail: Promise<LocalSidecar | null>;
  /** Everything that could be fetched, within a few minutes of the first call. Rejects with the signal's reason. */
  finish(signal: AbortSignal): Promise<CollectedListed>;
}

export interface CollectedListed {
  readonly subtitles: readonly KeptSubtitle[];
  readonly thumbnail: LocalSidecar | null;
}

/** How long the job waits for listed sidecars when everything else is done. */
const lastWaitMaxMs = 180_000;
const subtitlesAtOnce = 3;

/**
 * Fetches the planned sidecars, and makes what can be made without the media. Whatever fails is left out and logged.
 */
export function openListed(plan: ListedPlan, context: SidecarContext): ListedCollection {
  const over = new AbortController();
  const stop = (why: string) => over.abort(new Error(why));
  const within = { ...context, signal: AbortSignal.any([context.signal, over.signal]) };
  let begun: ReturnType<typeof begin> | null = null;
  let timer: NodeJS.Timeout | null = null;

  function begin() {
    const thumbnail = collectThumbnail(plan, within);
    return { thumbnail, all: Promise.all([collectSubtitles(plan, within), thumbnail]) };
  }

  return {
    start() {
      const { thumbnail, all } = (begun ??= begin());
      return {
        thumbnail,
        async finish(signal) {
          timer ??= setTimeout(() => stop("it took too long"), lastWaitMaxMs);
          await orAborted(all, signal);
          const [subtitles] = await all;
          return { subtitles, thumbnail: await thumbnail };
        },
      };
    },
    async close() {
      if (timer !== null) clearTimeout(timer);
      stop("it is not needed any more");
      await begun?.all;
    },
  };
}

async function collectSubtitles(
  { subtitles }: ListedPlan,
  context: SidecarContext,
): Promise<readonly KeptSubtitle[]> {
  const kept = await pMap(
    subtitles,
    ({ language, content }) =>
      orLeftOut({ sidecar: "subtitle", language }, context, async () => {
        const files = await fetchSubtitle(content, context);
        return keepSegments(language, await readSubtitles(files, context), context);
      }),
    { concurrency: subtitlesAtOnce },
  );
  return kept.filter((one) => one !== null);
}

async function collectThumbnail(
  { pictures }: ListedPlan,
  context: SidecarContext,
): Promise<LocalSidecar | null> {
  const thumbnail = localThumbnail(context.folder);
  for (const picture of pictures) {
    const made = await orLeftOut({ sidecar: "thumbnail" }, context, () =>
      makeThumbnailOfListed(picture, thumbnail.path, context),
    );
    if (made !== null) return { ...thumbnail, ...made };
  }
  return null;
}
