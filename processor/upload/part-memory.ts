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
  let used = 0;
  /** Pieces for the next who asks for that size, the latest last: what is allocated anew, the collector has to find. */
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

  /** Lets go of the oldest spares until they fit into what is left of the budget. */
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
