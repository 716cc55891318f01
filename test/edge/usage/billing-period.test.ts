import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { billingPeriod } from "../../../edge/usage/billing-period.ts";

const dayMs = 24 * 60 * 60 * 1000;
const time = fc.integer({ min: Date.UTC(1970, 1, 1), max: Date.UTC(2200, 0, 1) });
const at = (text: string) => Date.parse(`${text}Z`);
const periodOf = (anchor: string, now: string) => {
  const { start, end } = billingPeriod(at(anchor), at(now));
  return [start, end].map((ms) => new Date(ms).toISOString().replace(":00.000Z", ""));
};

describe("a billing period", () => {
  it.each([
    ["2026-01-15T08:30", "2026-01-15T08:30", ["2026-01-15T08:30", "2026-02-15T08:30"]],
    ["2026-01-15T08:30", "2026-02-15T08:29", ["2026-01-15T08:30", "2026-02-15T08:30"]],
    ["2026-01-15T08:30", "2027-12-31T23:59", ["2027-12-15T08:30", "2028-01-15T08:30"]],
    ["2026-01-31T00:00", "2026-02-27T12:00", ["2026-01-31T00:00", "2026-02-28T00:00"]],
    ["2026-01-31T00:00", "2026-02-28T00:00", ["2026-02-28T00:00", "2026-03-31T00:00"]],
    ["2026-01-31T00:00", "2028-02-29T01:00", ["2028-02-29T00:00", "2028-03-31T00:00"]],
    ["2024-02-29T00:00", "2025-03-01T00:00", ["2025-02-28T00:00", "2025-03-29T00:00"]],
    ["2026-05-10T00:00", "2026-03-01T00:00", ["2026-02-10T00:00", "2026-03-10T00:00"]],
  ])("anchored at %s contains %s", (anchor, now, period) => {
    expect(periodOf(anchor, now)).toEqual(period);
  });

  it("contains its time, and is a month long", () => {
    fc.assert(
      fc.property(time, time, (anchor, now) => {
        const { start, end } = billingPeriod(anchor, now);
        expect(start).toBeLessThanOrEqual(now);
        expect(end).toBeGreaterThan(now);
        expect(end - start).toBeGreaterThanOrEqual(28 * dayMs);
        expect(end - start).toBeLessThanOrEqual(31 * dayMs);
      }),
    );
  });

  it("is the same for all of its times, and the next starts where it ends", () => {
    fc.assert(
      fc.property(time, time, fc.double({ min: 0, max: 1, noNaN: true }), (anchor, now, part) => {
        const period = billingPeriod(anchor, now);
        const within = Math.min(
          period.end - 1,
          period.start + Math.floor(part * (period.end - period.start)),
        );
        expect(billingPeriod(anchor, within)).toEqual(period);
        expect(billingPeriod(anchor, period.end).start).toBe(period.end);
      }),
    );
  });

  it("starts at its anchor, and then on that day or on the month's last", () => {
    fc.assert(
      fc.property(time, time, (anchor, now) => {
        expect(billingPeriod(anchor, anchor).start).toBe(anchor);
        const start = new Date(billingPeriod(anchor, now).start);
        const anchorDay = new Date(anchor).getUTCDate();
        const isLastOfMonth = new Date(start.getTime() + dayMs).getUTCDate() === 1;
        const isShortened = start.getUTCDate() < anchorDay && isLastOfMonth;
        expect(start.getUTCDate() === anchorDay || isShortened).toBe(true);
        expect(start.getTime() % dayMs).toBe(anchor % dayMs);
      }),
    );
  });
});
