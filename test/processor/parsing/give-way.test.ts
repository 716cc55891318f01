import { expect, test } from "vitest";
import { createGiveWay, inPieces } from "../../../processor/parsing/give-way.ts";

test("work gives way to the event loop once it has taken 20 ms, and not before", async () => {
  let nowMs = 0;
  const giveWay = createGiveWay(() => nowMs);
  let turns = 0;
  const count = () => {
    turns += 1;
    setImmediate(count).unref();
  };
  setImmediate(count).unref();
  for (nowMs = 0; nowMs < 20; nowMs += 5) await giveWay();
  expect(turns).toBe(0);
  await giveWay();
  expect(turns).toBeGreaterThan(0);
  const before = turns;
  await giveWay();
  expect(turns).toBe(before);
});

test("the pieces of a text are the text", () => {
  const text = "a text".repeat(5000);
  expect([...inPieces(text)].join("")).toBe(text);
  expect([...inPieces("")]).toEqual([]);
});
