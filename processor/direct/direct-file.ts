import type { EncodingOptions } from "../../contracts/encoding-options.ts";
import type { Media } from "../../contracts/file-facts.ts";
import { durationProblem, expectedDuration, saysDuration } from "../verify/expected-duration.ts";
import type { ProbedMedia } from "../mux/media.ts";
import { passesThrough } from "../mux/passes-through.ts";
import { planOutput, type OutputPlan } from "../mux/plan-output.ts";
import { mediaOf } from "../verify/verify-output.ts";
import { createWalker } from "../containers/walk-bytes.ts";
import { sniffContainer } from "../source/sniff-container.ts";
import { decidingBytes } from "./deciding-bytes.ts";
import { containerKinds } from "../containers/container-kinds.ts";
import { Doubtful } from "./doubtful.ts";

/** A source that is already exactly the requested file. */
export interface DirectFile {
  readonly plan: OutputPlan;
  /** What the file contains, judging by its beginning. */
  readonly probed: ProbedMedia;
  /** Checks all bytes, from the first on, as they pass. Call it once per pass. */
  inspect(): Inspection;
}

export interface Inspection {
  take(chunk: Buffer): void;
  /** Ends the stream and returns what it was. Throws Doubtful unless that is certain. */
  end(): Media;
}

/**
 * Plans to store a file unchanged, given its first bytes: it has the requested container and codecs, and can be checked
 * as it passes. Null if not, or if checking it takes a decoder. Throws what `planOutput` throws.
 */
export async function planDirectFile(
  head: Buffer,
  options: EncodingOptions,
  sourceSeconds: number | null,
): Promise<DirectFile | null> {
  if (decidingBytes(head) === null) return null;
  const sniffed = sniffContainer(head);
  const begun = sniffed && (await containerKinds[sniffed]?.begin(head));
  if (!begun) return null;
  const { probed, walk } = begun;
  const plan = planOutput([probed], options);
  if (!passesThrough([probed], plan, null)) return null;
  const duration = expectedDuration([probed], plan, sourceSeconds, saysDuration(probed));

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
          if (found.verdict !== "right") throw new Doubtful("the stream is not what its beginning promised");
          const seconds = found.seconds ?? probed.durationSeconds;
          const problem = durationProblem(seconds, duration);
          if (problem !== null) throw new Doubtful(problem);
          return mediaOf(probed, plan, seconds, bytes);
        },
      };
    },
  };
}
