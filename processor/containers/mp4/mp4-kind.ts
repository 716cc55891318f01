import { walkBeginning } from "./mp4-boxes.ts";
import { readIndex } from "./read-index.ts";
import { walkMp4 } from "./walk-mp4.ts";
import { walkOfKnownLength, type ContainerKind } from "../container-kind.ts";

export const mp4Kind: ContainerKind = {
  *headEnd() {
    const beginning = yield* walkBeginning();
    return beginning === null || beginning.isFragmented ? null : beginning.indexEnd;
  },
  async begin(head) {
    const index = await readIndex(head);
    return index && { probed: index.probed, walk: () => walkOfKnownLength(walkMp4(index.samples)) };
  },
};
