import { durationProblem } from "../../verify/expected-duration.ts";
import { promisedMp3Seconds, tagBytes, tagHeaderBytes } from "./mp3-promise.ts";
import { readHead } from "../read-head.ts";
import { walkThrough, type ByteWalk } from "../walk-bytes.ts";
import type { Begun, ContainerKind, Followed } from "../container-kind.ts";
import { walkMp3 } from "./walk-mp3.ts";

/** A few frames, the first of which may say how many follow. */
const framesBytes = 64 * 1024;

export const mp3Kind: ContainerKind = {
  *headEnd() {
    return (yield* walkTags()) + framesBytes;
  },
  begin: beginMp3,
};

async function beginMp3(head: Buffer): Promise<Begun | null> {
  const probed = await readHead(head, "mp3");
  if (probed === null || probed.audio.some(({ codec }) => codec !== "mp3")) return null;
  const tags = walkThrough(walkTags(), head);
  const audio = head.subarray("finding" in tags ? tags.finding : head.length);
  const first = audio.find((byte) => byte !== 0);
  // After anything else, only a decoder can tell which frames are meant.
  if (first !== undefined && first !== 0xff) return null;
  const promised = promisedMp3Seconds(audio);
  return { probed, walk: () => walkPromised(promised) };
}

/** An mp3 whose duration has to match what its first frame says, if it says anything. */
function* walkPromised(least: number | null): ByteWalk<Followed> {
  const seconds = yield* walkMp3();
  const isRight = seconds !== null && durationProblem(seconds, { least, most: null }) === null;
  return { verdict: isRight ? "right" : "unsure", seconds };
}

/** Walks to the start of the audio, after the tags. */
function* walkTags(): ByteWalk<number> {
  for (let end = 0; ;) {
    const bytes = tagBytes(yield tagHeaderBytes);
    if (bytes === 0) return end;
    end += bytes;
    yield tagHeaderBytes - bytes;
  }
}
