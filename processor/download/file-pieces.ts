import type { Piece, Pieces } from "./piece.ts";
import type { RemoteFile } from "./remote-file.ts";

/** Short, so that the first of several concurrent pieces arrives soon. */
const shortBytes = 2 * 1024 * 1024;

/** One file in pieces of at most `longestBytes`; null: without a limit. */
export function piecesOfFile(file: RemoteFile, longestBytes: number | null): Pieces {
  const longest = longestBytes ?? Infinity;
  const short = Math.min(shortBytes, longest);
  let last: Piece | null = null;

  function pieceAt(start: number, bytes: number): Piece {
    const end = Math.min(start + bytes, file.total() ?? Infinity);
    last = { file, reader: null, position: start, end: end === Infinity ? null : end };
    return last;
  }

  function shorten(piece: Piece): void {
    const isLong = piece.end !== null && piece.end - piece.position > 2 * short;
    if (piece === last && isLong && file.hasRanges()) piece.end = piece.position + short;
  }

  return {
    shorten,
    next(isAlone) {
      if (last === null) return pieceAt(0, longest);
      const total = file.total();
      if (last.end === null || total === null) return null;
      if (!isAlone) shorten(last);
      return last.end < total ? pieceAt(last.end, isAlone || !file.hasRanges() ? longest : short) : null;
    },
  };
}
