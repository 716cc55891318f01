import { takePage } from "./ogg-page.ts";
import { readHead } from "../read-head.ts";
import type { ByteWalk } from "../walk-bytes.ts";
import { readOggAudio, walkOgg } from "./walk-ogg.ts";
import type { ContainerKind } from "../container-kind.ts";

export const oggKind: ContainerKind = {
  headEnd: walkToAudio,
  async begin(head) {
    const audio = readOggAudio(head);
    const probed = audio && (await readHead(head, "ogg"));
    return probed && { probed, walk: () => walkOgg(audio) };
  },
};

/** To the end of the first page with playable audio, after those that describe it. */
function* walkToAudio(): ByteWalk<number | null> {
  for (let end = 0; ;) {
    const page = yield* takePage();
    if (page === null || page === "end") return null;
    end += page.bytes;
    if ((page.position ?? 0) > 0) return end;
  }
}
