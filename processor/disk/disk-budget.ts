import { JobFailure } from "../pipeline/job.ts";
import { NoRoom } from "./no-room.ts";

/**
 * The disk space that a node's jobs may use together, in bytes. Grants are kept in memory only, because the files do
 * not outlive the process either: a new one starts with an empty folder.
 */
export interface DiskBudget {
  /**
   * Opens an account for one job and returns everything granted to it when `work` settles; by then, none of the job's
   * files may be left on disk.
   */
  within<Result>(work: (disk: DiskAccount) => Promise<Result>): Promise<Result>;
}

/**
 * A job's share. Rejects with JobFailure `too_large` if the job needs more than there is in total, with NoRoom if other
 * jobs have the space, or with the signal's reason.
 */
export interface DiskAccount {
  /**
   * Waits, for a limited time, until the job may write the `known` number of bytes it needs, plus the `likely` number
   * as far as that much can exist on top of what it already has.
   */
  reserve(need: { readonly known: number; readonly likely: number }, signal: AbortSignal): Promise<void>;
  /** Call before writing this many bytes. Uses the reserve first, then free space. Waits as `reserve` does. */
  take(bytes: number, signal: AbortSignal): Promise<void>;
  /** Like `take`, but immediately or not at all, for output of a program that cannot be paused. Throws. */
  takeNow(bytes: number): void;
  /** Call after deleting this many bytes. */
  give(bytes: number): void;
  /** Call when nothing more will be written: releases the unused reserve. */
  releaseReserve(): void;
}

interface Holder {
  /** Granted, used or not. */
  bytes: number;
  /** The unused part of `bytes`. */
  reserved: number;
}

interface Waiting {
  readonly holder: Holder;
  readonly bytes: number;
  readonly grant: () => void;
}

interface BudgetOptions {
  /** The total space, queried once, when the first job starts. */
  readonly totalBytes: () => Promise<number>;
  /** A job that waits longer goes back to the edge. */
  readonly waitMaxMs: number;
}

export function createDiskBudget({ totalBytes, waitMaxMs }: BudgetOptions): DiskBudget {
  let total: Promise<number> | null = null;
  let used = 0;
  const queue = new Set<Waiting>();

  /** First come, first served, except that jobs that already hold space go first: only they can release it. */
  function serve(all: number): void {
    const rank = ({ holder }: Waiting) => (holder.bytes > 0 ? 0 : 1);
    for (const waiting of [...queue].sort((one, other) => rank(one) - rank(other))) {
      if (used + waiting.bytes > all) return;
      queue.delete(waiting);
      used += waiting.bytes;
      waiting.holder.bytes += waiting.bytes;
      waiting.grant();
    }
  }

  function give(holder: Holder, bytes: number, all: number): void {
    holder.bytes -= bytes;
    used -= bytes;
    serve(all);
  }

  function accountOf(holder: Holder, all: number): DiskAccount {
    function checkSize(bytes: number): void {
      if (holder.bytes + bytes > all)
        throw new JobFailure("too_large", "there is not enough disk space for it");
    }

    async function grant(bytes: number, signal: AbortSignal): Promise<void> {
      signal.throwIfAborted();
      checkSize(bytes);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const waiting: Waiting = { holder, bytes, grant: resolve };
      const leave = (reason: unknown) => {
        if (queue.delete(waiting)) reject(reason);
        serve(all);
      };
      const abandon = () => leave(signal.reason);
      const timer = setTimeout(() => leave(new NoRoom()), waitMaxMs);
      signal.addEventListener("abort", abandon, { once: true });
      queue.add(waiting);
      serve(all);
      await promise.finally(() => {
        clearTimeout(timer);
        signal.removeEventListener("abort", abandon);
      });
    }

    /** Returns how many of these bytes were not reserved. */
    function useReserve(bytes: number): number {
      const ofReserve = Math.min(holder.reserved, bytes);
      holder.reserved -= ofReserve;
      return bytes - ofReserve;
    }

    return {
      async reserve({ known, likely }, signal) {
        const bytes = Math.max(known, Math.min(likely, all - holder.bytes));
        await grant(bytes, signal);
        holder.reserved += bytes;
      },
      async take(bytes, signal) {
        const missing = useReserve(bytes);
        if (missing > 0) await grant(missing, signal);
      },
      takeNow(bytes) {
        const missing = useReserve(bytes);
        checkSize(missing);
        if (used + missing > all) throw new NoRoom();
        used += missing;
        holder.bytes += missing;
      },
      give: (bytes) => give(holder, bytes, all),
      releaseReserve() {
        const unused = holder.reserved;
        holder.reserved = 0;
        give(holder, unused, all);
      },
    };
  }

  return {
    async within(work) {
      total ??= totalBytes();
      const all = await total;
      const holder = { bytes: 0, reserved: 0 };
      try {
        return await work(accountOf(holder, all));
      } finally {
        give(holder, holder.bytes, all);
      }
    },
  };
}
