import { DrizzleQueryError } from "drizzle-orm";
import { expect, test } from "vitest";
import { isOverload } from "../../edge/platform-errors.ts";

const thrownByObject = (properties: object) => Object.assign(new Error("Failed"), properties);

test.each([
  ["D1_ERROR: D1 DB is overloaded. Requests queued for too long.", true],
  ["D1_ERROR: D1 DB is overloaded. Too many requests queued.", true],
  ["D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.", true],
  ["D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.", true],
  ["D1_ERROR: D1 DB exceeded its CPU time limit and was reset.", true],
  ["D1_ERROR: Network connection lost.", false],
  ["D1_ERROR: D1 DB reset because its code was updated.", false],
  ["D1_ERROR: Internal error while starting up D1 DB storage caused object to be reset.", false],
  ["D1_ERROR: Internal error in D1 DB storage caused object to be reset.", false],
  ["D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.", false],
  ["D1_ERROR: UNIQUE constraint failed: jobs.id", false],
])("D1's message says whether it is overloaded: %s", (message, expected) => {
  expect(isOverload(new Error(message))).toBe(expected);
  const asQuery = new DrizzleQueryError("SELECT 1", [], new Error(message));
  expect(isOverload(asQuery)).toBe(expected);
});

test.each([
  [{ overloaded: true, retryable: true, remote: false }, true],
  [{ retryable: true, remote: false }, false],
  [{ remote: true }, false],
])("an object's error says whether it is overloaded: %j", (properties, expected) => {
  expect(isOverload(thrownByObject(properties))).toBe(expected);
});

test("a value that is not an error is no overload", () => {
  expect([isOverload("overloaded"), isOverload(null)]).toEqual([false, false]);
});
