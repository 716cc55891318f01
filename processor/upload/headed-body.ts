import { open, rm } from "node:fs/promises";
import type { DiskAccount } from "../disk/disk-budget.ts";
import type { MainFileFacts } from "../pipeline/job.ts";
import { partOfFile } from "./file-body.ts";
import type { ObjectBody, OutgoingPart } from "./object-body.ts";
import type { PartAccount } from "./part-memory.ts";
import { partsOf } from "./part-plan.ts";
import { streamBody } from "./stream-body.ts";

export interface HeadedObject {
  /** What lies behind the head, in order. */
  readonly chunks: AsyncGenerator<Buffer, void, undefined>;
  readonly headBytes: number;
  /** The head, of so many bytes; asked when the stream is over. */
  readonly head: () => Promise<Buffer>;
  readonly partBytes: number;
  /** How long the object is going to be at most, where that is known. */
  readonly mostBytes: number | null;
  /** Asked when all is out. */
  readonly facts: () => Promise<MainFileFacts>;
  /** A new file for what is sent with the head. */
  readonly path: string;
}

/**
 * A stream whose head is written last as the body of an object: parts behind the head are collected in memory as they
 * come, those that touch it wait on disk for the end of the stream. They are a part or a few, however long it is.
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
