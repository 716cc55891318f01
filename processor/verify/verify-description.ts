import { open } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { headMaxBytes, readFrom } from "../containers/follow-file.ts";
import { JobFailure } from "../pipeline/job.ts";
import { boxContent, boxesIn } from "../containers/mp4/box-content.ts";
import { walkBoxes } from "../containers/mp4/mp4-boxes.ts";
import { contentAt, readClock } from "../containers/mp4/mp4-samples.ts";

/**
 * Compares the description of an mp4's tracks with the descriptions repeated further on, as in files whose fragments
 * came from several encoders: players and programs use only the first. Rejects with JobFailure `invalid_media` if they
 * differ.
 */
export async function verifyDescription(path: string): Promise<void> {
  const { boxes } = await walkBoxes(path);
  if (boxes.filter(({ type }) => type === "moov").length < 2) return;
  const file = await open(path);
  try {
    let first: unknown = null;
    let offset = 0;
    for (const { type, bytes } of boxes) {
      if (type === "moov") {
        const index = boxContent(await readFrom(file, offset, Math.min(bytes, headMaxBytes)), "moov");
        const described = index && descriptionOf(index);
        first ??= described;
        if (described === null || !isDeepStrictEqual(first, described)) {
          throw new JobFailure("invalid_media", "the media consists of parts that do not fit together");
        }
      }
      offset += bytes;
    }
  } finally {
    await file.close();
  }
}

const handlerOffset = 8;

/** What each track's samples are, their clock, and their defaults. */
function descriptionOf(moov: Buffer): unknown {
  const tracks = boxesIn(moov).filter(({ type }) => type === "trak");
  return {
    tracks: tracks.map(({ content }) => ({
      clock: readClock(contentAt(content, ["mdia", "mdhd"]))?.ticksPerSecond,
      handler: contentAt(content, ["mdia", "hdlr"])?.subarray(handlerOffset, handlerOffset + 4),
      samples: contentAt(content, ["mdia", "minf", "stbl", "stsd"]),
    })),
    defaults: boxesIn(boxContent(moov, "mvex") ?? Buffer.alloc(0))
      .filter(({ type }) => type === "trex")
      .map(({ content }) => content),
  };
}
