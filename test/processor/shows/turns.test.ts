import { expect, test } from "vitest";
import { createTurns } from "../../../processor/shows/turns.ts";

const never = new AbortController().signal;

test("a limited number have a turn at a time, the others in the order requested", async () => {
  const turns = createTurns({ atOnce: 2, perOwner: 2 });
  const log: string[] = [];
  const first = await turns.take("anyone", never);
  const second = await turns.take("anyone", never);
  expect(turns.areFree("anyone")).toBe(false);
  const third = turns.take("anyone", never).then((turn) => (log.push("third"), turn));
  const fourth = turns.take("anyone", never).then((turn) => (log.push("fourth"), turn));
  second.end();
  second.end();
  const turnOfThird = await third;
  expect(log).toEqual(["third"]);
  first.end();
  (await fourth).end();
  turnOfThird.end();
  expect(log).toEqual(["third", "fourth"]);
  expect(turns.areFree("anyone")).toBe(true);
});

test("an aborted request gets no turn, and delays no other", async () => {
  const turns = createTurns({ atOnce: 1, perOwner: 1 });
  const gone = new AbortController();
  const held = await turns.take("anyone", never);
  const left = turns.take("anyone", gone.signal);
  const next = turns.take("anyone", never);
  gone.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  held.end();
  (await next).end();
  await expect(turns.take("anyone", gone.signal)).rejects.toThrow("gone");
  expect(turns.areFree("anyone")).toBe(true);
});

test("one owner has only some of the turns, and requests of other owners do not wait for its others", async () => {
  const turns = createTurns({ atOnce: 3, perOwner: 2 });
  const first = await turns.take("greedy", never);
  await turns.take("greedy", never);
  const log: string[] = [];
  const third = turns.take("greedy", never).then((turn) => (log.push("third"), turn));
  expect(turns.areFree("greedy")).toBe(false);
  expect(turns.areFree("other")).toBe(true);
  const other = await turns.take("other", never);
  const next = turns.take("other", never).then((turn) => (log.push("next"), turn));
  other.end();
  await next;
  expect(log).toEqual(["next"]);
  first.end();
  await third;
  expect(log).toEqual(["next", "third"]);
});

test("a turn is wanted if others could start when it ends", async () => {
  const turns = createTurns({ atOnce: 3, perOwner: 2 });
  const greedy = await turns.take("greedy", never);
  await turns.take("greedy", never);
  const other = await turns.take("other", never);
  expect(greedy.isWanted()).toBe(false);
  const gone = new AbortController();
  const third = turns.take("greedy", gone.signal);
  expect([greedy.isWanted(), other.isWanted()]).toEqual([true, false]);
  gone.abort(new Error("gone"));
  await expect(third).rejects.toThrow("gone");
  expect(greedy.isWanted()).toBe(false);
  const next = turns.take("other", never);
  expect([greedy.isWanted(), other.isWanted()]).toEqual([true, true]);
  greedy.end();
  await next;
});
