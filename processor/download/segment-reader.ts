import type { Decipheriv } from "node:crypto";
import { crc32 } from "node:zlib";
import { JobFailure } from "../pipeline/job.ts";
import { PieceCut, type PieceReader } from "./piece.ts";
import { createRepetition } from "./repeated-beginning.ts";
import type { SegmentCheck } from "./segment-check.ts";

/** What reading a segment from its first byte takes. */
export interface SegmentStart {
  /** Null: it is not encrypted. */
  readonly decipher: Decipheriv | null;
  readonly check: SegmentCheck;
}

/** Among this many bytes of media, at least one is not text. */
const tellingBytes = 256;
const nothing = Buffer.alloc(0);

/**
 * Reads a segment, decrypting it if necessary; `begin` is called for each time it is read. Throws source_error for a
 * segment that is text, such as an error page sent with status 200, and PieceCut for one that is empty or truncated:
 * without it the result would have a gap.
 */
export function createSegmentReader(begin: () => SegmentStart): PieceReader {
  let { decipher, check } = begin();
  let head: Buffer = nothing;
  let given = { bytes: 0, checksum: 0 };
  let repetition = createRepetition(given);

  function pass(bytes: Buffer): Buffer {
    if (head.length < tellingBytes) {
      head = Buffer.concat([head, bytes.subarray(0, tellingBytes - head.length)]);
      if (head.length === tellingBytes) refuseWords(head);
    }
    check.take(bytes);
    return repetition.leaveOut(bytes);
  }

  function give(bytes: Buffer): Buffer {
    // A checksum takes a noticeable share of the time.
    if (check.isListed) given = { bytes: given.bytes + bytes.length, checksum: crc32(bytes, given.checksum) };
    return bytes;
  }

  function decipherEnd(): Buffer {
    try {
      return decipher?.final() ?? nothing;
    } catch (error) {
      // With the right key, only the end can be wrong.
      throw check.isMedia() ? new PieceCut("a segment is truncated", { cause: error }) : error;
    }
  }

  return {
    update: (chunk) => give(pass(decipher?.update(chunk) ?? chunk)),
    final() {
      const rest = pass(decipherEnd());
      if (head.length === 0) throw new PieceCut("a segment is empty");
      if (head.length < tellingBytes) refuseWords(head);
      if (!repetition.isOver()) throw new PieceCut("a segment is truncated");
      check.end();
      return give(rest);
    },
    restart() {
      ({ decipher, check } = begin());
      head = nothing;
      repetition = createRepetition(given);
    },
  };
}

function refuseWords(head: Buffer): void {
  if (head.every(isOfText)) throw new JobFailure("source_error", "a segment is not media");
}

const [tab, lineFeed, carriageReturn, space, remove] = [9, 10, 13, 32, 127];

function isOfText(byte: number): boolean {
  return (byte >= space && byte !== remove) || byte === tab || byte === lineFeed || byte === carriageReturn;
}
