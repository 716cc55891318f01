import type { MainFileFacts } from "../pipeline/job.ts";
import type { ObjectBody, OutgoingPart } from "./object-body.ts";
import type { PartAccount } from "./part-memory.ts";

export interface StreamedObject {
  readonly chunks: AsyncIterable<Buffer>;
  /** The size of every part but the last. */
  readonly partBytes: number;
  /** Upper bound of the stream's length; null if unknown. */
  readonly mostBytes: number | null;
  /** Called once the stream has ended. */
  readonly facts: () => Promise<MainFileFacts>;
  /** Number of parts of the object that precede the stream. */
  readonly partsBefore?: number;
}

/**
 * Uploads a stream, buffered in memory part by part. Reading pauses while no part is requested and while the node's
 * part memory is exhausted.
 */
export function streamBody(
  { chunks, partBytes, mostBytes, facts, partsBefore = 0 }: StreamedObject,
  memory: PartAccount,
  signal: AbortSignal,
): ObjectBody {
  const pieceBytes = Math.min(partBytes, mostBytes ?? partBytes);

  function partOf(number: number, piece: Buffer, bytes: number, isWhole: boolean): OutgoingPart {
    // A part that stays referenced after its upload must not keep its buffer alive.
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
            // The part is full and more data follows, so it is not the only one.
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
      // After a complete stream, parts may still be in flight, and each releases its own buffer.
      if (!isOver) memory.close();
    }
  }

  return { parts: parts(), facts };
}
