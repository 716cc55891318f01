import type { Decipheriv } from "node:crypto";
import type { RemoteFile } from "./remote-file.ts";

/** A stretch of a remote file while it is fetched. */
export interface Span {
  /** Of the next byte to come. */
  position: number;
  /** Where it ends, exclusive; null until that is known. It may come down while it is fetched. */
  end: number | null;
}

/** What is fetched over one connection at a time. The pieces of a format, one after the other, are its bytes. */
export interface Piece extends Span {
  readonly file: RemoteFile;
  /** Null: its bytes are as they come. */
  readonly decipher: Decipheriv | null;
}

/** The pieces of a format in their order. */
export interface Pieces {
  /**
   * The next one, which begins where the last one ends; null when there is none, or none yet. A piece that is
   * fetched alone may be as long as there is; beside others it is short, and the one before it may be cut shorter.
   */
  next(isAlone: boolean): Piece | null;
  /** Lets a piece end soon, where that can be; the next one then begins there. */
  shorten(piece: Piece): void;
}

export function isWhole({ position, end }: Span): boolean {
  return end !== null && position >= end;
}
