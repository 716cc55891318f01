import { JobFailure } from "../pipeline/job.ts";
import { NoRoom } from "./no-room.ts";

/** What one job has been granted, in bytes, used or not. Only the space changes it. */
export interface Holder {
  bytes: number;
}

/** A number of bytes that is shared out among jobs: who has how much, and who waits for more. */
export interface DiskSpace {
  readonly totalBytes: number;
  /**
   * Waits, for a limited time, until the job may have this many more bytes. Rejects with JobFailure `too_large` if it
   * would have more than there is in total, with NoRoom if others keep the space, or with the signal's reason.
   */
  grant(holder: Holder, bytes: number, signal: AbortSignal): Promise<void>;
  /** Like `grant`, but immediately or not at all. Throws. */
  grantNow(holder: Holder, bytes: number): void;
  /** Takes back bytes that were granted. */
  takeBack(holder: Holder, bytes: number): void;
}

interface Waiting {
  readonly holder: Holder;
  readonly bytes: number;
  readonly resolve: () => void;
}

/** `waitMaxMs`: a job that waits longer is refused. */
export function createDiskSpace(totalBytes: number, waitMaxMs: number): DiskSpace {
  let used = 0;
  const queue = new Set<Waiting>();

  function checkSize(holder: Holder, bytes: number): void {
    if (holder.bytes + bytes > totalBytes) {
      throw new JobFailure("too_large", "there is not enough disk space for it");
    }
  }

  function move(holder: Holder, bytes: number): void {
    used += bytes;
    holder.bytes += bytes;
  }

  /** First come, first served, except that jobs that already hold space go first: only they can release it. */
  function serve(): void {
    const rank = ({ holder }: Waiting) => (holder.bytes > 0 ? 0 : 1);
    for (const waiting of [...queue].sort((one, other) => rank(one) - rank(other))) {
      if (used + waiting.bytes > totalBytes) return;
      queue.delete(waiting);
      move(waiting.holder, waiting.bytes);
      waiting.resolve();
    }
  }

  return {
    totalBytes,
    async grant(holder, bytes, signal) {
      signal.throwIfAborted();
      checkSize(holder, bytes);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const waiting: Waiting = { holder, bytes, resolve };
      const leave = (reason: unknown) => {
        if (queue.delete(waiting)) reject(reason);
        serve();
      };
      const abandon = () => leave(signal.reason);
      const timer = setTimeout(() => leave(new NoRoom()), waitMaxMs);
      signal.addEventListener("abort", abandon, { once: true });
      queue.add(waiting);
      serve();
      await promise.finally(() => {
        clearTimeout(timer);
        signal.removeEventListener("abort", abandon);
      });
    },
    grantNow(holder, bytes) {
      checkSize(holder, bytes);
      if (used + bytes > totalBytes) throw new NoRoom();
      move(holder, bytes);
    },
    takeBack(holder, bytes) {
      move(holder, -bytes);
      serve();
    },
  };
}
