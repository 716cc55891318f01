import type { Decipheriv } from "node:crypto";
import { JobFailure } from "../pipeline/job.ts";
import type { PieceReader } from "./piece.ts";

/** Of media at least one of so many is no letter. */
const tellingBytes = 256;

/**
 * Reads a segment, which `decipher` makes readable where it is encrypted. Refuses one that is nothing, or words, as a
 * page that tells of an error and is called a success: what is put together without it would have a hole.
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
  if (head.every(isOfText)) throw new JobFailure("source_error", "a segment is no media");
}

const [tab, lineFeed, carriageReturn, space, remove] = [9, 10, 13, 32, 127];

function isOfText(byte: number): boolean {
  return (byte >= space && byte !== remove) || byte === tab || byte === lineFeed || byte === carriageReturn;
}
