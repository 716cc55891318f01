import type { EncodingOptions } from "../../contracts/encoding-options.ts";
import type { Media } from "../../contracts/file-facts.ts";
import { durationProblem, expectedDuration } from "../mux/expected-duration.ts";
import type { ProbedMedia } from "../mux/media.ts";
import { promisedMp3Seconds, tagBytes } from "../mux/mp3-promise.ts";
import { passesThrough } from "../mux/passes-through.ts";
import { planOutput, type OutputPlan } from "../mux/plan-output.ts";
import { readHead } from "../mux/read-head.ts";
import { readIndex } from "../mux/read-index.ts";
import { mediaOf } from "../mux/verify-output.ts";
import { createWalker, type ByteWalk } from "../mux/walk-bytes.ts";
import { walkMp4 } from "../mux/walk-mp4.ts";
import { sniffContainer } from "../source/sniff-container.ts";
import { decidingBytes } from "./deciding-bytes.ts";
import { walkMp3 } from "./mp3-walk.ts";

/** The stream turned out not to be what its beginning promised, or not surely: a decoder has to judge. */
export class Doubtful extends Error {
  override readonly name = "Doubtful";
}

/** A source that already is the file that was asked for. */
export interface DirectFile {
  readonly plan: OutputPlan;
  /** What is in it, by its beginning. */
  readonly probed: ProbedMedia;
  /** A look at all its bytes, from the first on, as they pass. One for each time they do. */
  inspect(): Inspection;
}

export interface Inspection {
  take(chunk: Buffer): void;
  /** What the stream was, that is over now. Throws Doubtful where that is not sure. */
  end(): Media;
}

/**
 * Whether the file that begins with these bytes can be stored as it comes: it is of the container and the codecs that
 * were asked for, and can be checked while it passes. Null where not, or where that needs more than a look. Throws
 * what `planOutput` throws.
 */
export async function planDirectFile(
  head: Buffer,
  options: EncodingOptions,
  sourceSeconds: number | null,
): Promise<DirectFile | null> {
  if (decidingBytes(head) === null) return null;
  const begun = sniffContainer(head) === "mp3" ? await beginMp3(head) : await beginMp4(head);
  if (begun === null) return null;
  const { probed, walk } = begun;
  const plan = planOutput([probed], options);
  if (!passesThrough([probed], plan, null)) return null;
  const duration = expectedDuration([probed], plan, sourceSeconds);

  return {
    plan,
    probed,
    inspect() {
      const walker = createWalker(walk());
      let bytes = 0;
      return {
        take(chunk) {
          bytes += chunk.length;
          walker.take(chunk);
        },
        end() {
          const found = walker.end();
          if (found === null) throw new Doubtful("the stream is not what its beginning promised");
          const seconds = found.seconds ?? probed.durationSeconds;
          const problem = durationProblem(seconds, duration);
          if (problem !== null) throw new Doubtful(problem);
          return mediaOf(probed, plan, seconds, bytes);
        },
      };
    },
  };
}

/** How long the stream plays, null where only its index says so. */
type Finding = { readonly seconds: number | null } | null;

/** What the beginning of a stream tells, and how the rest is followed. */
interface Begun {
  readonly probed: ProbedMedia;
  readonly walk: () => ByteWalk<Finding>;
}

async function beginMp3(head: Buffer): Promise<Begun | null> {
  const probed = await readHead(head, "mp3");
  if (probed === null || probed.audio.some(({ codec }) => codec !== "mp3")) return null;
  return { probed, walk: () => walkPromised(promisedSeconds(head)) };
}

async function beginMp4(head: Buffer): Promise<Begun | null> {
  const index = await readIndex(head);
  if (index === null) return null;
  const { probed, samples } = index;
  return {
    probed,
    *walk() {
      const verdict = yield* walkMp4(samples);
      // A source that is asked again may give something else.
      return verdict === "right" ? { seconds: null } : null;
    },
  };
}

/** An mp3 that plays as long as the note in its first frame says, where there is one. */
function* walkPromised(least: number | null): ByteWalk<Finding> {
  const seconds = yield* walkMp3();
  return seconds === null || durationProblem(seconds, { least, most: null }) !== null ? null : { seconds };
}

function promisedSeconds(head: Buffer): number | null {
  let tags = 0;
  for (let bytes = tagBytes(head); bytes > 0; bytes = tagBytes(head.subarray(tags))) tags += bytes;
  return promisedMp3Seconds(head.subarray(tags));
}
