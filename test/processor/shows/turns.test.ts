import { expect, test } from "vitest";
import { createTurns } from "../../../processor/shows/turns.ts";

const never = new AbortController().signal;

test("so many have a turn at a time, the others in the order of asking", async () => {
  const turns = createTurns(2);
  const log: string[] = [];
  const first = await turns.take(never);
  const second = await turns.take(never);
  expect(turns.areFree()).toBe(false);
  const third = turns.take(never).then((end) => (log.push("third"), end));
  const fourth = turns.take(never).then((end) => (log.push("fourth"), end));
  second();
  second();
  const endThird = await third;
  expect(log).toEqual(["third"]);
  first();
  (await fourth)();
  endThird();
  expect(log).toEqual(["third", "fourth"]);
  expect(turns.areFree()).toBe(true);
});

test("who is gone gets no turn, and keeps nobody from one", async () => {
  const turns = createTurns(1);
  const gone = new AbortController();
  const end = await turns.take(never);
  const left = turns.take(gone.signal);
  const next = turns.take(never);
  gone.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  end();
  (await next)();
  await expect(turns.take(gone.signal)).rejects.toThrow("gone");
  expect(turns.areFree()).toBe(true);
});
