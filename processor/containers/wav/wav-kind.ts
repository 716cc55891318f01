import { readHead } from "../read-head.ts";
import { readWavHead, walkToAudio, walkWav } from "./walk-wav.ts";
import { walkOfKnownLength, type ContainerKind } from "../container-kind.ts";

/** The library needs to see some audio. */
const audioBytes = 4096;

export const wavKind: ContainerKind = {
  *headEnd() {
    const promise = yield* walkToAudio();
    return promise && promise.audioOffset + audioBytes;
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
      walk: () => walkOfKnownLength(walkWav(head)),
    };
  },
};
