import { setImmediate as nextTurn } from "node:timers/promises";
import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { piecesOfFile } from "../../../processor/download/file-pieces.ts";
import type { Pieces } from "../../../processor/download/piece.ts";
import { readInOrder, type Reading } from "../../../processor/download/read-in-order.ts";
import type { RemoteFile } from "../../../processor/download/remote-file.ts";
import { createByteBudget, type ByteBudget } from "../../../processor/memory/byte-budget.ts";
import { SourceTooSlow } from "../../../processor/network/source-pace.ts";
import { JobFailure } from "../../../processor/pipeline/job.ts";

const mib = 1024 * 1024;

/** A clock that advances with every reading. */
function fastClock(): () => number {
  let ms = 0;
  return () => (ms += 7);
}

interface Simulated extends RemoteFile {
  readonly mostReads: () => number;
}

/** A file whose n-th response breaks off after `cuts[n]` bytes; null and missing entries do not break. */
function fileOf(content: Buffer, chunkBytes: number, cuts: readonly (number | null)[]): Simulated {
  let reads = 0;
  let mostReads = 0;
  const left = [...cuts];
  return {
    total: () => content.length,
    hasRanges: () => true,
    mostReads: () => mostReads,
    moveTo: () => {},
    forget: () => {},
    async *read(span, { signal }) {
      const cut = left.shift() ?? null;
      span.end ??= content.length;
      reads += 1;
      mostReads = Math.max(mostReads, reads);
      try {
        for (let sent = 0; span.position < span.end;) {
          await nextTurn();
          signal.throwIfAborted();
          if (cut !== null && sent >= cut) throw new JobFailure("source_error", "cut");
          const end = Math.min(span.end, span.position + chunkBytes);
          const chunk = content.subarray(span.position, end);
          sent += chunk.length;
          span.position = end;
          yield chunk;
        }
      } finally {
        reads -= 1;
      }
    },
  };
}

const patient = { progressed: () => {}, succeeded: () => {}, next: () => Promise.resolve() };

function reading(more: Partial<Reading> = {}): Reading {
  return {
    signal: new AbortController().signal,
    silenceMs: 1e9,
    maxBytes: 1e9,
    budget: createByteBudget(64 * mib),
    retries: patient,
    now: fastClock(),
    onBytes: () => {},
    renew: () => Promise.reject(new Error("nothing expires")),
    ...more,
  };
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

function numbered(bytes: number): Buffer {
  const content = Buffer.alloc(bytes);
  for (let at = 0; at + 4 <= bytes; at += 4) content.writeUInt32LE(at, at);
  return content;
}

const isFull = (budget: ByteBudget, bytes: number) => {
  const isAllThere = budget.tryTake(bytes);
  if (isAllThere) budget.give(bytes);
  return isAllThere;
};

const content = numbered(24 * mib);

test("over several connections, whichever of them break, each byte arrives once and in order", async () => {
  let most = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(fc.nat(6 * mib), { nil: null }), { maxLength: 12 }),
      fc.integer({ min: 20_000, max: 300_000 }),
      fc.constantFrom(0, mib, 64 * mib),
      async (cuts, chunkBytes, budgetBytes) => {
        const budget = createByteBudget(budgetBytes);
        const file = fileOf(content, chunkBytes, cuts);
        const got = await collect(readInOrder(piecesOfFile(file, null), reading({ budget })));
        expect(got.equals(content)).toBe(true);
        expect(isFull(budget, budgetBytes)).toBe(true);
        most = Math.max(most, file.mostReads());
      },
    ),
    { numRuns: 25 },
  );
  expect(most).toBeGreaterThan(1);
});

/** Many small files in order; one whose `cut` is not null breaks off once, after that many bytes. */
function smallFiles(cut: (index: number) => number | null): { parts: Buffer[]; pieces: Pieces } {
  const parts = Array.from({ length: 200 }, (_, index) =>
    content.subarray(index * 50_000, (index + 1) * 50_000),
  );
  let next = 0;
  const pieces: Pieces = {
    shorten: () => {},
    next: () => {
      const index = next++;
      const part = parts[index];
      if (part === undefined) return null;
      const file = fileOf(part, 9000, [cut(index)]);
      return { file, reader: null, position: 0, end: null };
    },
  };
  return { parts, pieces };
}

test("many files, one after the other, arrive complete and in order", async () => {
  const { parts, pieces } = smallFiles((index) => (index % 5 === 0 ? 20_000 : null));
  const got = await collect(readInOrder(pieces, reading()));
  expect(got.equals(Buffer.concat(parts))).toBe(true);
});

test.for([
  ["one file", piecesOfFile(fileOf(content, 64 * 1024, []), null)],
  ["many small files", smallFiles(() => null).pieces],
] as const)("reading %s slowly keeps the source from running ahead", async ([, pieces]) => {
  let received = 0;
  const chunks = readInOrder(pieces, reading({ onBytes: (bytes) => (received = bytes) }));
  await chunks.next();
  for (let turn = 0; turn < 1000; turn++) await nextTurn();
  expect(received).toBeLessThan(mib);
  await chunks.return();
});

describe("a slow source", () => {
  const minuteMs = 60_000;

  /** A source of this many bytes a second that breaks off after every `cut` bytes, and the clock that it moves. */
  function slow(bytes: number, bytesPerSecond: number, cut = Infinity) {
    let ms = 0;
    const file = fileOf(content.subarray(0, bytes), Math.min(bytesPerSecond, cut), []);
    const timed: RemoteFile = {
      ...file,
      async *read(span, request) {
        let sent = 0;
        for await (const chunk of file.read(span, request)) {
          ms += (chunk.length / bytesPerSecond) * 1000;
          yield chunk;
          sent += chunk.length;
          if (sent >= cut) throw new JobFailure("source_error", "cut");
        }
      },
    };
    return {
      pieces: piecesOfFile(timed, null),
      now: () => ms,
      passes: (more: number) => {
        ms += more;
      },
    };
  }

  test("that trickles is aborted after minutes", async () => {
    const { pieces, now } = slow(100_000, 1);
    const got = collect(readInOrder(pieces, reading({ now, silenceMs: minuteMs })));
    await expect(got).rejects.toThrow(SourceTooSlow);
    expect(now()).toBeLessThan(20 * minuteMs);
  });

  test("that breaks off after every byte and requests pauses is also aborted", async () => {
    const { pieces, now, passes } = slow(100_000, 1, 1);
    const next = () => Promise.resolve(passes(minuteMs / 2));
    const got = collect(readInOrder(pieces, reading({ now, retries: { ...patient, next } })));
    await expect(got).rejects.toThrow(SourceTooSlow);
    expect(now()).toBeLessThan(20 * minuteMs);
  });

  test("of 20 kB a second is read to its end, for hours", async () => {
    const { pieces, now } = slow(24 * mib, 20_000);
    const got = await collect(readInOrder(pieces, reading({ now, silenceMs: minuteMs })));
    expect(got.equals(content)).toBe(true);
    expect(now()).toBeGreaterThan(20 * minuteMs);
  });

  test("is not confused with a slow consumer", async () => {
    const { pieces, now, passes } = slow(100_000, 1000);
    let got = 0;
    for await (const chunk of readInOrder(pieces, reading({ now }))) {
      got += chunk.length;
      passes(60 * minuteMs);
    }
    expect(got).toBe(100_000);
  });
});

test("more than is allowed is too_large", async () => {
  const got = collect(
    readInOrder(piecesOfFile(fileOf(content, 64 * 1024, []), null), reading({ maxBytes: mib })),
  );
  await expect(got).rejects.toMatchObject({ code: "too_large" });
});

test("everything is released when reading ends", async () => {
  const budget = createByteBudget(64 * mib);
  const file = fileOf(content, 64 * 1024, []);
  let taken = 0;
  for await (const chunk of readInOrder(piecesOfFile(file, null), reading({ budget }))) {
    taken += chunk.length;
    if (taken > 12 * mib) break;
  }
  expect(isFull(budget, 64 * mib)).toBe(true);
});

/** A file whose address expires each time so many bytes have come from it. */
function expiringAfter(bytes: number) {
  const file = fileOf(content, 16 * 1024, []);
  let left = bytes;
  const expiring: RemoteFile = {
    ...file,
    async *read(span, request) {
      if (left <= 0) throw new JobFailure("sign_in_required");
      for await (const chunk of file.read(span, request)) {
        yield chunk;
        left -= chunk.length;
        if (left <= 0) throw new JobFailure("source_error", "cut");
      }
    },
  };
  const renewed = vi.fn(async () => {
    left = bytes;
  });
  const retries = {
    progressed: () => {},
    succeeded: () => {},
    next: (failure: unknown) => (isCut(failure) ? Promise.resolve() : Promise.reject(failure)),
  };
  return {
    expiring,
    renewed,
    read: () => collect(readInOrder(piecesOfFile(expiring, null), reading({ retries, renew: renewed }))),
  };
}

test("a URL that expires again and again is renewed as long as each brings enough", async () => {
  const { read, renewed } = expiringAfter(content.length / 20);
  expect((await read()).equals(content)).toBe(true);
  expect(renewed.mock.calls.length).toBeGreaterThan(10);
});

test("a URL that expires after a few bytes each time is not renewed forever", async () => {
  const { read, renewed } = expiringAfter(16 * 1024);
  await expect(read()).rejects.toMatchObject({ code: "sign_in_required" });
  expect(renewed).toHaveBeenCalledTimes(2);
});

test("a URL that stays expired is renewed at most twice", async () => {
  let expired = true;
  const file = fileOf(content, 64 * 1024, []);
  const expiring: RemoteFile = {
    ...file,
    async *read(span, request) {
      if (span.position > 0 && expired) throw new JobFailure("sign_in_required");
      for await (const chunk of file.read(span, request)) {
        yield chunk;
        if (expired) throw new JobFailure("source_error", "cut");
      }
    },
  };
  const renew = () => {
    expired = false;
    return Promise.resolve();
  };
  const got = await collect(readInOrder(piecesOfFile(expiring, null), reading({ renew })));
  expect(got.equals(content)).toBe(true);

  expired = true;
  let renewals = 0;
  const stubborn = {
    ...patient,
    next: (failure: unknown) => (isCut(failure) ? Promise.resolve() : Promise.reject(failure)),
  };
  const failing = readInOrder(
    piecesOfFile(expiring, null),
    reading({
      retries: stubborn,
      renew: () => {
        renewals += 1;
        return Promise.resolve();
      },
    }),
  );
  await expect(collect(failing)).rejects.toMatchObject({ code: "sign_in_required" });
  expect(renewals).toBe(2);
});

function isCut(failure: unknown): boolean {
  return failure instanceof JobFailure && failure.code === "source_error";
}
