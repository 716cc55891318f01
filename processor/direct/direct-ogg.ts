import { takePage } from "../mux/ogg-page.ts";
import { readHead } from "../mux/read-head.ts";
import type { ByteWalk } from "../mux/walk-bytes.ts";
import { readOggSound, walkOgg, type OggSound } from "../mux/walk-ogg.ts";
import type { DirectKind, Finding } from "./direct-kind.ts";

export const directOgg: DirectKind = {
  headEnd: walkToSound,
  async begin(head) {
    const sound = readOggSound(head);
    const probed = sound && (await readHead(head, "ogg"));
    return probed && { probed, walk: () => walkFound(sound) };
  },
};

function* walkFound(sound: OggSound): ByteWalk<Finding> {
  const { verdict, seconds } = yield* walkOgg(sound);
  return verdict === "right" ? { seconds } : null;
}

/** To the end of the first page with sound that can be played, behind those that describe it. */
function* walkToSound(): ByteWalk<number | null> {
  for (let end = 0; ;) {
    const page = yield* takePage();
    if (page === null || page === "end") return null;
    end += page.bytes;
    if ((page.position ?? 0) > 0) return end;
  }
}
