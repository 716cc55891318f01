import { createDiskSpace, type DiskSpace, type Holder } from "./disk-space.ts";

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

interface BudgetOptions {
  /** The total space, queried once, when the first job starts. */
  readonly totalBytes: () => Promise<number>;
  /** A job that waits longer goes back to the edge. */
  readonly waitMaxMs: number;
}

export function createDiskBudget({ totalBytes, waitMaxMs }: BudgetOptions): DiskBudget {
  let opening: Promise<DiskSpace> | null = null;

  return {
    async within(work) {
      opening ??= totalBytes().then((bytes) => createDiskSpace(bytes, waitMaxMs));
      const space = await opening;
      const holder = { bytes: 0 };
      try {
        return await work(openAccount(space, holder));
      } finally {
        space.takeBack(holder, holder.bytes);
      }
    },
  };
}

function openAccount(space: DiskSpace, holder: Holder): DiskAccount {
  /** The unused part of what was granted in advance. */
  let reserved = 0;

  /** Returns how many of these bytes were not reserved. */
  function useReserve(bytes: number): number {
    const ofReserve = Math.min(reserved, bytes);
    reserved -= ofReserve;
    return bytes - ofReserve;
  }

  return {
    async reserve({ known, likely }, signal) {
      const bytes = Math.max(known, Math.min(likely, space.totalBytes - holder.bytes));
      await space.grant(holder, bytes, signal);
      reserved += bytes;
    },
    async take(bytes, signal) {
      const missing = useReserve(bytes);
      if (missing > 0) await space.grant(holder, missing, signal);
    },
    takeNow: (bytes) => space.grantNow(holder, useReserve(bytes)),
    give: (bytes) => space.takeBack(holder, bytes),
    releaseReserve() {
      const unused = reserved;
      reserved = 0;
      space.takeBack(holder, unused);
    },
  };
}
