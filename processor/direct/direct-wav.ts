import { readHead } from "../mux/read-head.ts";
import { readWavHead, walkToSound, walkWav } from "../mux/walk-wav.ts";
import { findingOf, type DirectKind } from "./direct-kind.ts";

/** The library wants to see some sound. */
const soundBytes = 4096;

export const directWav: DirectKind = {
  *headEnd() {
    const promise = yield* walkToSound();
    return promise && promise.soundOffset + soundBytes;
  },
  async begin(bytes) {
    const head = readWavHead(bytes);
    const probed = head && (await readHead(bytes, "wav"));
    if (!head || !probed) return null;
    const { seconds } = head;
    return {
      probed: {
        ...probed,
        durationSeconds: seconds,
        audio: probed.audio.map((stream) => ({ ...stream, durationSeconds: seconds })),
      },
      walk: () => findingOf(walkWav(head)),
    };
  },
};
