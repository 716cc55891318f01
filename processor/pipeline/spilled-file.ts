import { open } from "node:fs/promises";
import type { DiskAccount } from "../disk/disk-budget.ts";

/** A stream that is written to a file as it arrives, and can meanwhile be read from there. */
export interface SpilledFile {
  readonly path: string;
  /** Resolves when all of it has arrived; rejects with the stream's error. */
  readonly whole: Promise<void>;
  /** Resolves when this many bytes have arrived, or the stream has ended. Rejects with the stream's error. */
  until(bytes: number): Promise<void>;
  /** Its bytes from the first on, as they are written. A chunk is valid until the next one is requested. */
  chunks(): AsyncGenerator<Buffer, void, undefined>;
}

const readBytes = 256 * 1024;

/**
 * Writes a stream to a new file. The stream is slowed down while there is no disk space for it, but never by readers of
 * the file.
 */
export function spill(
  stream: AsyncIterable<Buffer>,
  path: string,
  disk: Pick<DiskAccount, "take">,
  signal: AbortSignal,
): SpilledFile {
  const state = { written: 0, isWhole: false };
  let change = nextChange();

  async function write(): Promise<void> {
    try {
      const file = await open(path, "w");
      try {
        for await (const chunk of stream) {
          await disk.take(chunk.length, signal);
          await file.appendFile(chunk);
          state.written += chunk.length;
          tellChange();
        }
      } finally {
        await file.close();
      }
      state.isWhole = true;
      tellChange();
    } catch (error) {
      change.reject(error);
      throw error;
    }
  }

  function tellChange(): void {
    const { resolve } = change;
    change = nextChange();
    resolve();
  }

  async function until(bytes: number): Promise<void> {
    while (state.written < bytes && !state.isWhole) await change.promise;
  }

  const whole = write();
  // Everyone who awaits it still gets the error.
  whole.catch(() => {});
  return {
    path,
    whole,
    until,
    async *chunks() {
      await until(1);
      const file = await open(path);
      // Shared by all chunks, to spare the garbage collector.
      const buffer = Buffer.allocUnsafeSlow(readBytes);
      try {
        for (let offset = 0; ;) {
          await until(offset + 1);
          const bytes = Math.min(readBytes, state.written - offset);
          if (bytes === 0) return;
          const { bytesRead } = await file.read(buffer, 0, bytes, offset);
          yield buffer.subarray(0, bytesRead);
          offset += bytesRead;
        }
      } finally {
        await file.close();
      }
    },
  };
}

function nextChange(): PromiseWithResolvers<void> {
  const change = Promise.withResolvers<void>();
  change.promise.catch(() => {});
  return change;
}
