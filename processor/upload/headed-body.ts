import { open, rm } from "node:fs/promises";
import type { DiskAccount } from "../disk/disk-budget.ts";
import type { MainFileFacts } from "../pipeline/job.ts";
import { partOfFile } from "./file-body.ts";
import type { ObjectBody, OutgoingPart } from "./object-body.ts";
import type { PartAccount } from "./part-memory.ts";
import { partsOf } from "./part-plan.ts";
import { streamBody } from "./stream-body.ts";

export interface HeadedObject {
  /** Everything after the head, in order. */
  readonly chunks: AsyncGenerator<Buffer, void, undefined>;
  readonly headBytes: number;
  /** Returns the head, exactly `headBytes` long. Called once the stream has ended. */
  readonly head: () => Promise<Buffer>;
  readonly partBytes: number;
  /** Upper bound of the object's size; null if unknown. */
  readonly mostBytes: number | null;
  /** Called once all parts have been handed out. */
  readonly facts: () => Promise<MainFileFacts>;
  /** Where to create the temporary file for the parts that overlap the head. */
  readonly path: string;
}

/**
 * Uploads a stream whose head is known only at its end. Parts after the head are buffered in memory and sent as they
 * fill up. Parts that overlap the head, one or a few however long the stream is, wait on disk until it has ended.
 */
export function headedBody(
  { chunks, headBytes, head, partBytes, mostBytes, facts, path }: HeadedObject,
  memory: PartAccount,
  disk: Pick<DiskAccount, "take" | "give">,
  signal: AbortSignal,
): ObjectBody {
  const partsWithHead = Math.ceil(headBytes / partBytes);
  const beginningBytes = partsWithHead * partBytes;

  async function* parts(): AsyncGenerator<OutgoingPart, void, undefined> {
    const file = await open(path, "w+");
    let taken = 0;
    try {
      let bytes = headBytes;
      let rest: Buffer | null = null;
      while (rest === null && bytes < beginningBytes) {
        const next = await chunks.next();
        if (next.done === true) break;
        const kept = next.value.subarray(0, beginningBytes - bytes);
        await disk.take(kept.length, signal);
        taken += kept.length;
        await file.write(kept, 0, kept.length, bytes);
        bytes += kept.length;
        if (kept.length < next.value.length) rest = next.value.subarray(kept.length);
      }
      const behind = streamBody(
        { chunks: startingWith(rest, chunks), partBytes, mostBytes, facts, partsBefore: partsWithHead },
        memory,
        signal,
      );
      let isOne = bytes <= partBytes;
      for await (const part of behind.parts) {
        isOne = false;
        yield part;
      }
      const written = await head();
      await disk.take(headBytes, signal);
      taken += headBytes;
      await file.write(written, 0, headBytes, 0);
      const underWay: Promise<void>[] = [];
      for (const part of partsOf(bytes, partBytes)) {
        const { outgoing, released } = partOfFile(file, part, isOne, memory, signal);
        underWay.push(released);
        yield outgoing;
      }
      await Promise.all(underWay);
    } finally {
      await file.close();
      await rm(path, { force: true });
      disk.give(taken);
    }
  }

  return { parts: parts(), facts };
}

async function* startingWith(
  first: Buffer | null,
  rest: AsyncGenerator<Buffer, void, undefined>,
): AsyncGenerator<Buffer, void, undefined> {
  if (first !== null) yield first;
  yield* rest;
}
