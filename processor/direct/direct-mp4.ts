import { walkBeginning } from "../mux/mp4-boxes.ts";
import { readIndex } from "../mux/read-index.ts";
import { walkMp4 } from "../mux/walk-mp4.ts";
import { findingOf, type DirectKind } from "./direct-kind.ts";

export const directMp4: DirectKind = {
  *headEnd() {
    const beginning = yield* walkBeginning();
    return beginning === null || beginning.isFragmented ? null : beginning.indexEnd;
  },
  async begin(head) {
    const index = await readIndex(head);
    return index && { probed: index.probed, walk: () => findingOf(walkMp4(index.samples)) };
  },
};
