import { frameHeaderBytes, readFrame, tellingFrames } from "./find-frames.ts";
import { tagBytes, tagHeaderBytes } from "./mp3/mp3-promise.ts";
import { leaveOut, type ByteWalk } from "./walk-bytes.ts";

/** Walks audio without a container frame by frame: whether its last frame is truncated. False for anything else. */
export function* walkToCutFrame(): ByteWalk<boolean> {
  for (let frames = 0; ;) {
    const header = yield frameHeaderBytes;
    const isAudio = frames >= tellingFrames;
    if (header.toString("latin1", 0, 3) === "ID3") {
      const tag = Buffer.concat([header, yield tagHeaderBytes - frameHeaderBytes]);
      if (!(yield* leaveOut(Math.max(0, tagBytes(tag) - tagHeaderBytes)))) return isAudio;
      continue;
    }
    if (header.length < frameHeaderBytes) return isAudio && header[0] === 0xff;
    const frame = readFrame(header);
    if (frame === null) return false;
    if (!(yield* leaveOut(frame.bytes - frameHeaderBytes))) return isAudio;
    frames += 1;
  }
}
