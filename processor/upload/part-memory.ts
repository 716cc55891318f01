import type { MemoryUse } from "../memory/byte-budget.ts";
import { smallestPartBytes } from "./part-plan.ts";

/**
 * The node's memory budget for parts on their way to storage, granted first come, first served. A holder that has
 * nothing is always granted one buffer at once, even beyond the budget, so that every upload can make progress.
 */
export interface PartMemory extends MemoryUse {
  /** Opens an account for one object. */
  openAccount(): PartAccount;
}

export interface PartAccount {
  /** Waits for a buffer of this many uninitialized bytes. Rejects with the signal's reason. */
  take(bytes: number, signal: AbortSignal): Promise<Buffer>;
  /** Returns a buffer, which may be reused immediately. Harmless after `close`. */
  give(piece: Buffer): void;
  /** Releases everything still held. `take` must not be called afterwards. */
  close(): void;
}

interface Holder {
  bytes: number;
}

interface Waiting {
  readonly holder: Holder;
  readonly bytes: number;
  readonly grant: () => void;
}

export function createPartMemory(budgetBytes: number): PartMemory {
  let used = 0;
  /** Returned buffers for reuse, newest last: allocating new ones would leave the old to the garbage collector. */
  const spares: Buffer[] = [];
  const queue = new Set<Waiting>();

  function grantWaiting(): void {
    let isFull = false;
    for (const waiting of queue) {
      isFull ||= used + waiting.bytes > budgetBytes;
      if (isFull && waiting.holder.bytes > 0) continue;
      queue.delete(waiting);
      used += waiting.bytes;
      waiting.holder.bytes += waiting.bytes;
      waiting.grant();
    }
  }

  function takeSpare(bytes: number): Buffer | undefined {
    const index = spares.findLastIndex((spare) => spare.length === bytes);
    return index < 0 ? undefined : spares.splice(index, 1)[0];
  }

  /** Drops the oldest spares until the rest fit into the unused part of the budget. */
  function trimSpares(): void {
    let bytes = spares.reduce((sum, spare) => sum + spare.length, 0);
    for (; bytes > Math.max(0, budgetBytes - used); bytes -= spares.shift()?.length ?? bytes);
  }

  return {
    totalBytes: budgetBytes,
    usedBytes: () => used,
    openAccount() {
      const holder: Holder = { bytes: 0 };
      const giveBytes = (bytes: number) => {
        const held = Math.min(bytes, holder.bytes);
        holder.bytes -= held;
        used -= held;
        grantWaiting();
      };
      return {
        async take(bytes, signal) {
          signal.throwIfAborted();
          const { promise, resolve, reject } = Promise.withResolvers<void>();
          const waiting: Waiting = { holder, bytes, grant: resolve };
          const abandon = () => {
            if (queue.delete(waiting)) reject(signal.reason);
            grantWaiting();
          };
          signal.addEventListener("abort", abandon, { once: true });
          queue.add(waiting);
          grantWaiting();
          await promise.finally(() => signal.removeEventListener("abort", abandon));
          const spare = takeSpare(bytes);
          trimSpares();
          return spare ?? Buffer.allocUnsafeSlow(bytes);
        },
        give(piece) {
          if (piece.length >= smallestPartBytes) spares.push(piece);
          giveBytes(piece.length);
          trimSpares();
        },
        close: () => giveBytes(holder.bytes),
      };
    },
  };
}
