import { ebmlHeaderMaxBytes, ebmlIds, takeElement } from "./ebml.ts";
import { isNonMedia, readMatroskaHead } from "./matroska-head.ts";
import { readHead } from "../read-head.ts";
import type { ByteWalk } from "../walk-bytes.ts";
import { walkMatroska } from "./walk-matroska.ts";
import { walkOfKnownLength, type ContainerKind } from "../container-kind.ts";

export const matroskaKind: ContainerKind = {
  headEnd: walkToMedia,
  async begin(bytes) {
    const head = readMatroskaHead(bytes);
    const probed = head && (await readHead(head.bytes, head.isWebm ? "webm" : "matroska"));
    return probed && { probed, walk: () => walkOfKnownLength(walkMatroska(head)) };
  },
};

/** To the header of the first cluster. */
function* walkToMedia(): ByteWalk<number | null> {
  for (let end = 0; ;) {
    const element = yield* takeElement();
    if (element?.id === ebmlIds.cluster) return end + ebmlHeaderMaxBytes;
    if (element === null || element.bytes === null) return null;
    end += element.headerBytes;
    if (element.id === ebmlIds.segment) continue;
    if (element.id !== ebmlIds.header && !isNonMedia(element.id)) return null;
    end += element.bytes;
    yield -element.bytes;
  }
}
