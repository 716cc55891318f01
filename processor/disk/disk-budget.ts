import { JobFailure } from "../pipeline/job.ts";
import { NoRoom } from "./no-room.ts";

/**
 * The bytes that a node's jobs may have on disk together. What is granted is kept in memory only, as the files are the
 * process's own: a new one begins with an empty folder.
 */
export interface DiskBudget {
  /**
   * Opens an account for one job, and gives back all that is granted on it when `work` settles: nothing of the job may
   * be on disk any more by then.
   */
  within<Result>(work: (disk: DiskAccount) => Promise<Result>): Promise<Result>;
}

/**
 * A job's share. Rejections: JobFailure `too_large` where the job alone needs more than all there is, NoRoom where
 * others have it, and the signal's reason.
 */
export interface DiskAccount {
  /**
   * Waits, for a while, until the job may write what it is known to need, and what it is likely to, as far as there can
   * be so much beside what it has already.
   */
  reserve(need: { readonly known: number; readonly likely: number }, signal: AbortSignal): Promise<void>;
  /** Before so many bytes are written: of those that are reserved, then of what is left. Waits as `reserve` does. */
  take(bytes: number, signal: AbortSignal): Promise<void>;
  /** As `take`, at once or not at all: for what a program writes, which cannot be held. Throws. */
  takeNow(bytes: number): void;
  /** They are deleted. */
  give(bytes: number): void;
  /** Nothing more is going to be written than was taken. */
  giveReserve(): void;
}

interface Holder {
  /** Granted, used or not. */
  bytes: number;
  /** Of those, not used yet. */
  reserved: number;
}

interface Waiting {
  readonly holder: Holder;
  readonly bytes: number;
  readonly grant: () => void;
}

interface BudgetOptions {
  /** How much there is; asked once, when the first job begins. */
  readonly totalBytes: () => Promise<number>;
  /** A job that waits for longer goes back to the edge. */
  readonly waitMaxMs: number;
}

export function createDiskBudget({ totalBytes, waitMaxMs }: BudgetOptions): DiskBudget {
  let total: Promise<number> | null = null;
  let used = 0;
  const queue = new Set<Waiting>();

  /** In the order of asking, but first to those who have something: only they can give it back. */
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
      if (holder.bytes + bytes > all) throw new JobFailure("too_large", "there is not enough disk for it");
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

    /** How many of these were not reserved. */
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
      giveReserve() {
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
