import { JobFailure } from "../pipeline/job.ts";
import type { RemoteFile } from "./remote-file.ts";

/** A range of a remote file while it is being fetched. */
export interface Span {
  /** Offset of the next byte to arrive. */
  position: number;
  /** Where it ends, exclusive; null until known. It may be lowered while fetching. */
  end: number | null;
}

/** What is fetched over one connection at a time. The pieces of a format, in order, are its bytes. */
export interface Piece extends Span {
  readonly file: RemoteFile;
  /** Null: its bytes are used as they arrive. */
  readonly reader: PieceReader | null;
  /** The format is complete without it: if it is not there, it is left out. */
  readonly mayBeMissing?: boolean;
}

/** Turns a piece's bytes, in order, into the bytes they stand for. Throws for what cannot be read. */
export interface PieceReader {
  update(chunk: Buffer): Buffer;
  /** The remainder after the last chunk. Throws PieceCut if the piece is incomplete. */
  final(): Buffer;
  /**
   * Prepares for reading the piece from its first byte again: what has been returned is compared, not repeated. Then
   * `update` and `final` also throw SourceChanged.
   */
  restart(): void;
}

/** A piece is shorter than it should be, although its response was complete. */
export class PieceCut extends JobFailure {
  constructor(detail: string, options?: ErrorOptions) {
    super("source_error", detail, options);
  }
}

/** The pieces of a format in order. */
export interface Pieces {
  /**
   * The next piece, which begins where the last one ends; null if there is none, or none yet. A piece that is fetched
   * alone may be as long as the rest; alongside others it is short, and the one before it may be shortened.
   */
  next(isAlone: boolean): Piece | null;
  /** Lets a piece end soon, if possible; the next one then begins there. */
  shorten(piece: Piece): void;
}

/** Whether all bytes up to its end have arrived. */
export function isWhole({ position, end }: Span): boolean {
  return end !== null && position >= end;
}
