import { takePage } from "./ogg-page.ts";
import { readHead } from "../read-head.ts";
import type { ByteWalk } from "../walk-bytes.ts";
import { readOggSound, walkOgg } from "./walk-ogg.ts";
import type { ContainerKind } from "../container-kind.ts";

export const oggKind: ContainerKind = {
  headEnd: walkToSound,
  async begin(head) {
    const sound = readOggSound(head);
    const probed = sound && (await readHead(head, "ogg"));
    return probed && { probed, walk: () => walkOgg(sound) };
  },
};

/** To the end of the first page with playable audio, after those that describe it. */
function* walkToSound(): ByteWalk<number | null> {
  for (let end = 0; ;) {
    const page = yield* takePage();
    if (page === null || page === "end") return null;
    end += page.bytes;
    if ((page.position ?? 0) > 0) return end;
  }
}
