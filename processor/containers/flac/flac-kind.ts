import { readHead } from "../read-head.ts";
import { readFlacHead, walkFlac, walkToFrames } from "./walk-flac.ts";
import { walkOfKnownLength, type ContainerKind } from "../container-kind.ts";

/** The library needs to see the first frame. */
const framesBytes = 64 * 1024;

export const flacKind: ContainerKind = {
  *headEnd() {
    const end = yield* walkToFrames();
    return end === null ? null : end + framesBytes;
  },
  async begin(bytes) {
    const head = readFlacHead(bytes);
    const probed = head && (await readHead(bytes, "flac"));
    return probed && { probed, walk: () => walkOfKnownLength(walkFlac(head)) };
  },
};
