import type { MemoryUse } from "../memory/byte-budget.ts";
import { smallestPartBytes } from "./part-plan.ts";

/**
 * The node's memory for parts on their way to storage, handed out in the order of asking, within a budget. A holder
 * without any gets a piece at once all the same, so that each gets on whatever the others wait for.
 */
export interface PartMemory extends MemoryUse {
  /** For one object. */
  openAccount(): PartAccount;
}

export interface PartAccount {
  /** Resolves with a piece of so many bytes, whatever they hold, when they may be used; rejects with the signal's reason. */
  take(bytes: number, signal: AbortSignal): Promise<Buffer>;
  /** Gives back a piece, which somebody else may be using at once. After `close` that is fine, and nothing more. */
  give(piece: Buffer): void;
  /** Gives back all that is still held. Nothing may be taken any more. */
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
  /** Pieces of the usual size are all kept for the next who asks: what is allocated anew, the collector has to find. */
  const sparesMax = Math.floor(budgetBytes / smallestPartBytes);
  let used = 0;
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
          const spare = bytes === smallestPartBytes ? spares.pop() : undefined;
          return spare ?? Buffer.allocUnsafeSlow(bytes);
        },
        give(piece) {
          if (piece.length === smallestPartBytes && spares.length < sparesMax) spares.push(piece);
          giveBytes(piece.length);
        },
        close: () => giveBytes(holder.bytes),
      };
    },
  };
}
