import { expect, test } from "vitest";
import { togetherProblem, type Playing } from "../../../processor/verify/playing-together.ts";

const file = (seconds: number, given: Partial<Playing> = {}): Playing => ({
  seconds,
  listedSeconds: null,
  isSure: false,
  ...given,
});
const missing = "part of the video or audio is missing";

test("files of about the same duration belong together", () => {
  expect(togetherProblem([file(60), file(59)], null)).toBeNull();
  expect(togetherProblem([file(60), file(56)], 60)).toBeNull();
  expect(togetherProblem([file(3600), file(3450)], 3600)).toBeNull();
});

test("one that ends early without declaring it is incomplete", () => {
  expect(togetherProblem([file(60), file(30)], null)).toBe(missing);
  expect(togetherProblem([file(30), file(60)], null)).toBe(missing);
  expect(togetherProblem([file(3600), file(3400)], null)).toBe(missing);
  expect(togetherProblem([file(30), file(30)], 60)).toBe(missing);
});

test("one that declares its end may end early", () => {
  expect(togetherProblem([file(60), file(30, { isSure: true })], 60)).toBeNull();
});

test("one with listed segments has to play as long as these, and no longer", () => {
  expect(togetherProblem([file(60), file(30, { listedSeconds: 30 })], 60)).toBeNull();
  expect(togetherProblem([file(60), file(28, { listedSeconds: 30 })], 60)).toBe("the media is truncated");
  expect(togetherProblem([file(60), file(54, { listedSeconds: 60, isSure: true })], null)).toBe(
    "the media is truncated",
  );
});
