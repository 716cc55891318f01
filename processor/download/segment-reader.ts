import type { Decipheriv } from "node:crypto";
import { JobFailure } from "../pipeline/job.ts";
import type { PieceReader } from "./piece.ts";

/** Among this many bytes of media, at least one is not text. */
const tellingBytes = 256;

/**
 * Reads a segment, decrypting it with `decipher` unless that is null. Throws source_error for a segment that is empty or
 * text, such as an error page sent with status 200: without it the result would have a gap.
 */
export function createSegmentReader(decipher: Decipheriv | null): PieceReader {
  let head: Buffer = Buffer.alloc(0);

  function look(bytes: Buffer): Buffer {
    if (head.length < tellingBytes) {
      head = Buffer.concat([head, bytes.subarray(0, tellingBytes - head.length)]);
      if (head.length === tellingBytes) refuseWords(head);
    }
    return bytes;
  }

  return {
    update: (chunk) => look(decipher === null ? chunk : decipher.update(chunk)),
    final() {
      const rest = look(decipher === null ? Buffer.alloc(0) : decipher.final());
      if (head.length === 0) throw new JobFailure("source_error", "a segment is empty");
      if (head.length < tellingBytes) refuseWords(head);
      return rest;
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
