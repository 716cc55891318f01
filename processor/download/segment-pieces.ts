import { SourceChanged } from "../network/network-failure.ts";
import type { SegmentList } from "./read-segment-list.ts";
import { isWhole, type Piece, type Pieces } from "./piece.ts";
import { createRemoteFile, type RemoteAccess, type RemoteFile } from "./remote-file.ts";
import { decipherOf, type SegmentKeys } from "./segment-keys.ts";
import { createSegmentChecks } from "./segment-check.ts";
import { createSegmentReader } from "./segment-reader.ts";
import type { Segment } from "./segment.ts";

export interface SegmentPieces extends Pieces {
  /** How many pieces were handed out. */
  begun(): number;
  /** The same segments are available at other addresses from now on. Throws SourceChanged if their number differs. */
  moveTo(segments: readonly Segment[], headers: Readonly<Record<string, string>>): void;
}

/** One piece per segment. `mayLackLast`: the list may have one segment more than there are. */
export function piecesOfSegments(
  { segments, mayLackLast }: Pick<SegmentList, "segments" | "mayLackLast">,
  segmentHeaders: Readonly<Record<string, string>>,
  keys: SegmentKeys,
  access: RemoteAccess,
): SegmentPieces {
  let addresses = segments.map(({ url }) => url);
  let headers = segmentHeaders;
  let begun = 0;
  const checks = createSegmentChecks();
  /** Those that may still be requested. */
  let open: { index: number; url: string; file: RemoteFile; piece: Piece }[] = [];

  /** Consecutive ranges of one resource must be of the same version. */
  function fileAt(url: string): RemoteFile {
    const last = open.at(-1);
    return last?.url === url ? last.file : createRemoteFile({ url, headers }, access);
  }

  return {
    begun: () => begun,
    // Segments are short as they are.
    shorten: () => {},
    next() {
      const index = begun;
      const segment = segments[index];
      const url = addresses[index];
      if (segment === undefined || url === undefined) return null;
      begun += 1;
      const { start, end } = segment.range ?? { start: 0, end: null };
      const file = fileAt(url);
      const reader = createSegmentReader(() => ({
        decipher: decipherOf(segment, keys),
        check: checks.open(segment.listed),
      }));
      const piece: Piece = {
        file,
        position: start,
        end,
        mayBeMissing: mayLackLast && index > 0 && index === segments.length - 1,
        reader: {
          ...reader,
          restart() {
            reader.restart();
            file.forget();
            piece.position = start;
            piece.end = end;
            open = [one, ...open.filter((other) => other !== one)];
          },
        },
      };
      const one = { index, url, file, piece };
      open = [...open.filter((other) => !isWhole(other.piece)), one];
      return piece;
    },
    moveTo(renewed, renewedHeaders) {
      if (renewed.length !== segments.length) throw new SourceChanged();
      addresses = renewed.map(({ url }) => url);
      headers = renewedHeaders;
      for (const one of open) {
        const url = addresses[one.index] ?? one.url;
        one.url = url;
        one.file.moveTo({ url, headers });
      }
    },
  };
}
