import { open, type FileHandle } from "node:fs/promises";
import type { MainFileFacts } from "../pipeline/job.ts";
import type { ObjectBody, OutgoingPart } from "./object-body.ts";
import type { PartAccount } from "./part-memory.ts";
import { partBytesFor, partsOf, type Part } from "./part-plan.ts";

/** Uploads a finished file. Each part is read only when it is about to be sent. */
export function fileBody(
  path: string,
  facts: MainFileFacts,
  memory: PartAccount,
  signal: AbortSignal,
): ObjectBody {
  async function* parts(): AsyncGenerator<OutgoingPart, void, undefined> {
    const all = partsOf(facts.file_size, partBytesFor(facts.file_size));
    const file = await open(path);
    const underWay = new Set<Promise<void>>();
    try {
      for (const part of all) {
        const { outgoing, released } = partOfFile(file, part, all.length === 1, memory, signal);
        underWay.add(released);
        yield outgoing;
      }
      await Promise.all(underWay);
    } finally {
      await file.close();
    }
  }

  return { parts: parts(), facts: () => Promise.resolve(facts) };
}

/** A part that is read from `file` by `load`. `released` resolves once the file is no longer needed for it. */
export function partOfFile(
  file: FileHandle,
  { number, offset, bytes }: Part,
  isWhole: boolean,
  memory: PartAccount,
  signal: AbortSignal,
): { outgoing: OutgoingPart; released: Promise<void> } {
  const { promise: released, resolve } = Promise.withResolvers<void>();
  let piece: Buffer | null = null;
  const outgoing: OutgoingPart = {
    number,
    bytes,
    isWhole,
    async load() {
      piece = await memory.take(bytes, signal);
      const { bytesRead } = await file.read(piece, 0, bytes, offset);
      if (bytesRead !== bytes) throw new Error("the file became shorter while it was uploaded");
      return piece;
    },
    release() {
      if (piece !== null) memory.give(piece);
      piece = null;
      resolve();
    },
  };
  return { outgoing, released };
}
