import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createConnectionCount } from "../../../processor/download/connection-count.ts";

/** Simulates a source whose rate, in bytes per millisecond, depends on the number of connections. */
function countsOver(rateOf: (connections: number) => number, ms: number): number[] {
  const count = createConnectionCount(0);
  const counts: number[] = [];
  for (let now = 10; now <= ms; now += 10) {
    count.heard(rateOf(count.wanted()) * 10, now);
    counts.push(count.wanted());
  }
  return counts;
}

describe("a download", () => {
  test("limited by its link tries a second connection, and goes back to one", () => {
    const counts = countsOver(() => 20_000, 10_000);
    expect(Math.max(...counts)).toBe(2);
    expect(counts.at(-1)).toBe(1);
  });

  test("retries at growing intervals", () => {
    const counts = countsOver(() => 20_000, 300_000);
    const tries = counts.filter((count, index) => count === 2 && counts[index - 1] === 1).length;
    expect(tries).toBeGreaterThan(1);
    expect(tries).toBeLessThan(7);
  });

  test("whose connections are limited individually gets as many as are worthwhile", () => {
    expect(countsOver((connections) => Math.min(connections, 3) * 1000, 6000).at(-1)).toBe(3);
    expect(countsOver((connections) => connections * 1000, 20_000).at(-1)).toBe(6);
  });

  test("always has between one and six connections", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(100_000), { minLength: 1, maxLength: 200 }), (rates) => {
        const counts = countsOver((connections) => rates[connections % rates.length] ?? 0, 30_000);
        expect(Math.min(...counts)).toBeGreaterThanOrEqual(1);
        expect(Math.max(...counts)).toBeLessThanOrEqual(6);
      }),
    );
  });
});

test("a download with a slow consumer opens no second connection", () => {
  const count = createConnectionCount(0);
  for (let now = 10; now < 20_000; now += 10) {
    count.heard(10_000, now);
    if (now % 200 === 0) count.heldBack(now);
    expect(count.wanted()).toBe(1);
  }
});

test("an additional connection that fails leaves one, for a while", () => {
  const count = createConnectionCount(0);
  let now = 0;
  while (count.wanted() < 3) count.heard(count.wanted() * 10_000, (now += 10));
  count.failed(now);
  expect(count.wanted()).toBe(1);
  for (const until = now + 9000; now < until;) {
    count.heard(10_000, (now += 10));
    expect(count.wanted()).toBe(1);
  }
});
