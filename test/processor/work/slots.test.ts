import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createSlots } from "../../../processor/work/slots.ts";

/** What can happen at a node, in any order: each event might promise a slot twice. */
const step = fc.oneof(
  fc.constant({ type: "heartbeat" as const }),
  fc.record({ type: fc.constant("report" as const), ended: fc.nat(5) }),
  fc.record({ type: fc.constant("answer" as const), filled: fc.nat(20) }),
  fc.constant({ type: "request failed" as const }),
  fc.constant({ type: "posted" as const }),
  fc.constant({ type: "job dropped" as const }),
);

test("every task sent for a promise finds a slot, and no more jobs run than there are slots", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), fc.array(step, { maxLength: 60 }), (total, steps) => {
      const slots = createSlots(total, () => true);
      let held = 0;
      let byHeartbeat = 0;
      let request: { promised: number; ended: number } | null = null;

      for (const event of steps) {
        const endedInFlight: number = request?.ended ?? 0;
        if (event.type === "heartbeat") {
          byHeartbeat = slots.promiseInHeartbeat();
        } else if (event.type === "report" && request === null) {
          const ended = Math.min(event.ended, held);
          request = { promised: slots.promiseInReport(ended), ended };
        } else if (event.type === "answer" && request !== null) {
          for (let job = 0; job < request.ended; job += 1) slots.release();
          held -= request.ended;
          const filled = Math.min(event.filled, request.promised);
          for (let task = 0; task < filled; task += 1) expect(slots.takeForAnswered()).toBe(true);
          held += filled;
          slots.reportIsOver();
          request = null;
        } else if (event.type === "request failed" && request !== null) {
          slots.reportIsOver();
          request = null;
        } else if (event.type === "posted" && byHeartbeat > 0) {
          expect(slots.takeForPosted()).toBe(true);
          byHeartbeat -= 1;
          held += 1;
        } else if (event.type === "job dropped" && held > endedInFlight) {
          slots.release();
          held -= 1;
        }
        const promised = byHeartbeat + (request?.promised ?? 0);
        expect(held).toBeLessThanOrEqual(total);
        expect(promised).toBeLessThanOrEqual(total - held + (request?.ended ?? 0));
      }
    }),
    { numRuns: 1000 },
  );
});

test("a heartbeat promises all free slots if no request is in flight", () => {
  const slots = createSlots(3, () => true);
  slots.takeForPosted();
  expect(slots.promiseInHeartbeat()).toBe(2);
});

test("a report that ends a job promises its slot, but none promised by a heartbeat", () => {
  const slots = createSlots(2, () => true);
  slots.takeForPosted();
  expect(slots.promiseInHeartbeat()).toBe(1);
  expect(slots.promiseInReport(1)).toBe(1);
});

test("a freed slot that was not filled is overlooked until the next heartbeat", () => {
  const slots = createSlots(1, () => true);
  slots.promiseInHeartbeat();
  slots.takeForPosted();
  expect(slots.areOverlooked()).toBe(false);
  slots.release();
  expect(slots.areOverlooked()).toBe(true);
  slots.promiseInHeartbeat();
  expect(slots.areOverlooked()).toBe(false);
});

test("a posted task gets no slot that a request in flight has promised", () => {
  const slots = createSlots(1, () => true);
  expect(slots.promiseInReport(0)).toBe(1);
  expect(slots.takeForPosted()).toBe(false);
  expect(slots.takeForAnswered()).toBe(true);
});

test("tasks beyond a report's promise count against the heartbeat's, and nothing is promised below zero", () => {
  const slots = createSlots(2, () => true);
  slots.promiseInHeartbeat();
  expect(slots.takeForAnswered()).toBe(true);
  expect(slots.promiseInReport(0)).toBe(0);
});

test("a node that accepts no tasks promises no slots", () => {
  const slots = createSlots(4, () => false);
  expect([slots.promiseInHeartbeat(), slots.promiseInReport(2)]).toEqual([0, 0]);
  expect([slots.takeForPosted(), slots.takeForAnswered(), slots.areOverlooked()]).toEqual([
    false,
    false,
    false,
  ]);
});
