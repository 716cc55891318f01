import { open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { MainFileFacts } from "../pipeline/job.ts";
import { partOfFile } from "./file-body.ts";
import type { ObjectBody, OutgoingPart } from "./object-body.ts";
import type { PartAccount } from "./part-memory.ts";
import { partsOf } from "./part-plan.ts";

/** A file that a program is still writing. It must already exist. */
export interface GrowingFile {
  readonly path: string;
  /** Size of the head, which is written last. Bytes after the head never change once written. */
  readonly headBytes: number;
  /** Resolves when the file is finished; rejects if writing it fails. */
  readonly finished: Promise<void>;
  /** Called once the file is finished and all its parts have been handed out. */
  readonly facts: () => Promise<MainFileFacts>;
}

const lookEveryMs = 50;

/**
 * Uploads a file while it is being written: parts after the head as soon as they are full, parts that overlap the head
 * at the end. Each part is read only when it is about to be sent.
 */
export function growingBody(
  { path, headBytes, finished, facts }: GrowingFile,
  partBytes: number,
  memory: PartAccount,
  signal: AbortSignal,
): ObjectBody {
  const behindHead = Math.ceil(headBytes / partBytes);
  const state = { isFinished: false };
  const watch = async () => {
    await finished;
    state.isFinished = true;
  };

  async function* parts(): AsyncGenerator<OutgoingPart, void, undefined> {
    const watched = watch();
    // Awaited below, unless the consumer stops early.
    watched.catch(() => {});
    const file = await open(path);
    const underWay: Promise<void>[] = [];
    const partFor = (part: { number: number; offset: number; bytes: number }, isWhole: boolean) => {
      const { outgoing, released } = partOfFile(file, part, isWhole, memory, signal);
      underWay.push(released);
      return outgoing;
    };
    try {
      let next = behindHead;
      while (!state.isFinished) {
        const { size } = await file.stat();
        const offset = next * partBytes;
        if (size > offset + partBytes) {
          next += 1;
          yield partFor({ number: next, offset, bytes: partBytes }, false);
        } else {
          await Promise.race([watched, wait(signal)]);
        }
      }
      const { size } = await file.stat();
      const all = partsOf(size, partBytes);
      for (const part of [...all.slice(next), ...all.slice(0, behindHead)])
        yield partFor(part, all.length === 1);
      await Promise.all(underWay);
    } finally {
      await file.close();
    }
  }

  return { parts: parts(), facts };
}

async function wait(signal: AbortSignal): Promise<void> {
  await sleep(lookEveryMs, undefined, { signal }).catch(() => signal.throwIfAborted());
}
