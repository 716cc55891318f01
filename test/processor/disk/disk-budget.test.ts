import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createDiskBudget, type DiskAccount } from "../../../processor/disk/disk-budget.ts";
import { NoRoom } from "../../../processor/disk/no-room.ts";

const never = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));
const budgetOf = (bytes: number, waitMaxMs = 60_000) =>
  createDiskBudget({ totalBytes: async () => bytes, waitMaxMs });

/** A job's disk account that stays open until it is closed. */
async function opened(budget: ReturnType<typeof budgetOf>) {
  const ready = Promise.withResolvers<DiskAccount>();
  const over = Promise.withResolvers<void>();
  const closed = budget.within((disk) => {
    ready.resolve(disk);
    return over.promise;
  });
  const close = () => {
    over.resolve();
    return closed;
  };
  return { disk: await ready.promise, close };
}

async function isGranted(asked: Promise<void>): Promise<boolean> {
  const state = { isGranted: false };
  asked.then(
    () => (state.isGranted = true),
    () => {},
  );
  await settled();
  return state.isGranted;
}

test("concurrent jobs never exceed the budget, and all of it is free again when they are done", async () => {
  const job = fc.record({
    known: fc.nat(120),
    likely: fc.nat(250),
    written: fc.array(fc.nat(60), { maxLength: 4 }),
    fails: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(job, { maxLength: 6 }), async (jobs) => {
      const budget = budgetOf(100, 5);
      let onDisk = 0;
      const ends = await Promise.allSettled(
        jobs.map(({ known, likely, written, fails }) =>
          budget.within(async (disk) => {
            let own = 0;
            try {
              await disk.reserve({ known, likely }, never);
              for (const [index, bytes] of written.entries()) {
                if (index % 2 === 0) await disk.take(bytes, never);
                else disk.takeNow(bytes);
                own += bytes;
                onDisk += bytes;
                expect(onDisk).toBeLessThanOrEqual(100);
                await settled();
              }
              if (fails) throw new Error("broken");
            } finally {
              onDisk -= own;
            }
          }),
        ),
      );
      for (const [index, end] of ends.entries()) {
        const { known = 0, written = [] } = jobs[index] ?? {};
        const reason: unknown = end.status === "rejected" ? end.reason : null;
        const mustBeTooLarge = known > 100;
        const mayBeTooLarge = mustBeTooLarge || written.reduce((sum, bytes) => sum + bytes, known) > 100;
        if (mustBeTooLarge) expect(reason).toMatchObject({ code: "too_large" });
        if (!mayBeTooLarge) expect(reason).not.toMatchObject({ code: "too_large" });
      }
      const all = budget.within((disk) => disk.reserve({ known: 100, likely: 0 }, never));
      await expect(all).resolves.toBeUndefined();
    }),
    { numRuns: 100 },
  );
});

test("a job likely to need more than the budget gets all of it", async () => {
  const { disk, close } = await opened(budgetOf(100));
  await disk.reserve({ known: 60, likely: 120 }, never);
  disk.takeNow(100);
  expect(() => disk.takeNow(1)).toThrow("too_large");
  await close();
});

test("jobs that already hold disk space get more before those that hold none", async () => {
  const budget = budgetOf(100);
  const [one, other, last] = [await opened(budget), await opened(budget), await opened(budget)];
  await one.disk.take(60, never);
  await other.disk.take(40, never);
  const newcomer = last.disk.reserve({ known: 50, likely: 50 }, never);
  const growing = other.disk.take(30, never);
  await one.close();
  expect(await isGranted(growing)).toBe(true);
  expect(await isGranted(newcomer)).toBe(false);
  await other.close();
  expect(await isGranted(newcomer)).toBe(true);
  await last.close();
});

test("a job that gets no disk space in time is returned to the edge, and waits with its signal", async () => {
  const budget = budgetOf(100, 20);
  const [one, other] = [await opened(budget), await opened(budget)];
  await one.disk.take(60, never);
  await expect(other.disk.take(50, never)).rejects.toBeInstanceOf(NoRoom);
  expect(() => other.disk.takeNow(50)).toThrow(NoRoom);
  const aborted = new AbortController();
  const waiting = other.disk.take(50, aborted.signal);
  aborted.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow("stopped");
  await one.close();
  await other.disk.take(50, never);
  await other.close();
});

test("unused reservations and deleted bytes are available to others", async () => {
  const budget = budgetOf(100);
  const [one, other] = [await opened(budget), await opened(budget)];
  await one.disk.reserve({ known: 40, likely: 80 }, never);
  await one.disk.take(40, never);
  expect(() => other.disk.takeNow(60)).toThrow(NoRoom);
  one.disk.releaseReserve();
  other.disk.takeNow(60);
  one.disk.give(20);
  other.disk.takeNow(20);
  await Promise.all([one.close(), other.close()]);
});
