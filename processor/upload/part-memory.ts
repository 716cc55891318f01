import type { MemoryUse } from "../memory/byte-budget.ts";

/**
 * The node's memory for parts on their way to storage, handed out in the order of asking, within a budget. A holder
 * without any gets a piece at once all the same, so that each gets on whatever the others wait for.
 */
export interface PartMemory extends MemoryUse {
  /** For one object. */
  openAccount(): PartAccount;
}

export interface PartAccount {
  /** Resolves when the bytes may be used; rejects with the signal's reason. */
  take(bytes: number, signal: AbortSignal): Promise<void>;
  give(bytes: number): void;
  /** Gives back all that is still held. */
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
      const give = (bytes: number) => {
        holder.bytes -= bytes;
        used -= bytes;
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
        },
        give,
        close: () => give(holder.bytes),
      };
    },
  };
}
