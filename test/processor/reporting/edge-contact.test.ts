import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLog } from "../../../processor/log.ts";
import { createEdgeContact } from "../../../processor/reporting/edge-contact.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function watch() {
  const messages: string[] = [];
  const onIsolated = vi.fn<() => void>();
  const contact = createEdgeContact({
    isolatedAfterMs: 10_000,
    now: () => Date.now(),
    onIsolated,
    log: createLog("info", "node-1", { write: (line) => void messages.push(JSON.parse(line).message) }),
  });
  return { contact, onIsolated, messages };
}

test("ten seconds after the last answered request the node is isolated, once", () => {
  const { contact, onIsolated } = watch();
  vi.advanceTimersByTime(4000);
  contact.heard(Date.now());
  vi.advanceTimersByTime(9999);
  expect(contact.isIsolated()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(contact.isIsolated()).toBe(true);
  vi.advanceTimersByTime(60_000);
  expect(onIsolated).toHaveBeenCalledTimes(1);
});

test("the time counts from when a request was sent, not from when its answer arrived", () => {
  const { contact } = watch();
  const sentAt = Date.now();
  vi.advanceTimersByTime(5000);
  contact.heard(sentAt);
  vi.advanceTimersByTime(5000);
  expect(contact.isIsolated()).toBe(true);
});

test("an answer out of order does not turn the time back", () => {
  const { contact } = watch();
  vi.advanceTimersByTime(6000);
  contact.heard(Date.now());
  contact.heard(Date.now() - 5000);
  vi.advanceTimersByTime(9000);
  expect(contact.isIsolated()).toBe(false);
});

test("a node that is heard again is no longer isolated, and can be isolated again", () => {
  const { contact, onIsolated } = watch();
  vi.advanceTimersByTime(20_000);
  contact.heard(Date.now());
  expect(contact.isIsolated()).toBe(false);
  vi.advanceTimersByTime(10_000);
  expect(contact.isIsolated()).toBe(true);
  expect(onIsolated).toHaveBeenCalledTimes(2);
});

test("an edge that cannot be reached is logged once, and its return once", () => {
  const { contact, messages } = watch();
  for (let tries = 0; tries < 5; tries += 1) contact.missed("ECONNREFUSED");
  contact.heard(Date.now());
  contact.heard(Date.now());
  expect(messages).toEqual([
    "the edge cannot be reached or refuses this node, retrying",
    "connected to the edge",
  ]);
});

test("a stopped watch logs and does nothing more", () => {
  const { contact, onIsolated, messages } = watch();
  contact.stop();
  contact.missed("closed");
  vi.advanceTimersByTime(60_000);
  expect([onIsolated.mock.calls, messages]).toEqual([[], []]);
});
