import { expect, test } from "vitest";
import { createTurns } from "../../../processor/shows/turns.ts";

const never = new AbortController().signal;

test("so many have a turn at a time, the others in the order of asking", async () => {
  const turns = createTurns({ atOnce: 2, ofOne: 2 });
  const log: string[] = [];
  const first = await turns.take("anyone", never);
  const second = await turns.take("anyone", never);
  expect(turns.areFree("anyone")).toBe(false);
  const third = turns.take("anyone", never).then((end) => (log.push("third"), end));
  const fourth = turns.take("anyone", never).then((end) => (log.push("fourth"), end));
  second();
  second();
  const endThird = await third;
  expect(log).toEqual(["third"]);
  first();
  (await fourth)();
  endThird();
  expect(log).toEqual(["third", "fourth"]);
  expect(turns.areFree("anyone")).toBe(true);
});

test("who is gone gets no turn, and keeps nobody from one", async () => {
  const turns = createTurns({ atOnce: 1, ofOne: 1 });
  const gone = new AbortController();
  const end = await turns.take("anyone", never);
  const left = turns.take("anyone", gone.signal);
  const next = turns.take("anyone", never);
  gone.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  end();
  (await next)();
  await expect(turns.take("anyone", gone.signal)).rejects.toThrow("gone");
  expect(turns.areFree("anyone")).toBe(true);
});

test("one owner has some of the turns at most, and those who ask after its others do not wait for them", async () => {
  const turns = createTurns({ atOnce: 3, ofOne: 2 });
  const first = await turns.take("greedy", never);
  await turns.take("greedy", never);
  const log: string[] = [];
  const third = turns.take("greedy", never).then((end) => (log.push("third"), end));
  expect(turns.areFree("greedy")).toBe(false);
  expect(turns.areFree("other")).toBe(true);
  const other = await turns.take("other", never);
  const next = turns.take("other", never).then((end) => (log.push("next"), end));
  other();
  await next;
  expect(log).toEqual(["next"]);
  first();
  await third;
  expect(log).toEqual(["next", "third"]);
});
