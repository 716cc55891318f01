import type { MainFileFacts } from "../pipeline/job.ts";
import type { ObjectBody, OutgoingPart } from "./object-body.ts";
import type { PartAccount } from "./part-memory.ts";

export interface StreamedObject {
  readonly chunks: AsyncIterable<Buffer>;
  /** Of every part but the last. */
  readonly partBytes: number;
  /** How long the stream is going to be at most, where that is known. */
  readonly mostBytes: number | null;
  /** Asked when the stream is over. */
  readonly facts: () => Promise<MainFileFacts>;
  /** Parts of the object that come before the stream, and are no part of it. */
  readonly partsBefore?: number;
}

/**
 * A stream as the body of an object: its bytes are collected in memory, part by part. No more is read while no part
 * is asked for, or while the node's part memory is used up.
 */
export function streamBody(
  { chunks, partBytes, mostBytes, facts, partsBefore = 0 }: StreamedObject,
  memory: PartAccount,
  signal: AbortSignal,
): ObjectBody {
  const pieceBytes = Math.min(partBytes, mostBytes ?? partBytes);

  function partOf(number: number, piece: Buffer, bytes: number, isWhole: boolean): OutgoingPart {
    // Who keeps a part that has arrived must not keep its bytes from the collector.
    let held: Buffer | null = piece;
    return {
      number,
      bytes,
      isWhole,
      async load() {
        if (held === null) throw new Error("the part was released");
        return held.subarray(0, bytes);
      },
      release() {
        if (held !== null) memory.give(held);
        held = null;
      },
    };
  }

  async function* parts(): AsyncGenerator<OutgoingPart, void, undefined> {
    let number = partsBefore + 1;
    let piece: Buffer | null = null;
    let filled = 0;
    let isOver = false;
    try {
      for await (const chunk of chunks) {
        for (let taken = 0; taken < chunk.length;) {
          if (piece !== null && filled === piece.length) {
            // That more follows is known by now.
            const part = partOf(number, piece, filled, false);
            number += 1;
            piece = null;
            yield part;
          }
          if (piece === null) {
            piece = await memory.take(pieceBytes, signal);
            filled = 0;
          }
          const copied = chunk.copy(piece, filled, taken);
          filled += copied;
          taken += copied;
        }
      }
      if (piece !== null) yield partOf(number, piece, filled, number === 1);
      isOver = true;
    } finally {
      // Of a stream that is over, parts are still on their way, and each gives back its own.
      if (!isOver) memory.close();
    }
  }

  return { parts: parts(), facts };
}
