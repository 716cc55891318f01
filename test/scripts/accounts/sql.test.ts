import { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sql } from "../../../scripts/accounts/sql.ts";
import { Problem } from "../../../scripts/problem.ts";

describe("a value in SQL", () => {
  const database = new DatabaseSync(":memory:");

  test("is read back unchanged, for any text", () => {
    const text = fc
      .string({ unit: "binary" })
      .filter((value) => value.isWellFormed() && !value.includes("\0"));
    const hostile = fc.constantFrom("'", "''); DROP TABLE accounts; --", "\\'", "%_", "$1", "?", "\n");
    fc.assert(
      fc.property(fc.oneof(text, hostile, fc.maxSafeInteger(), fc.constant(null)), (value) => {
        expect(database.prepare(sql`SELECT ${value} AS value`).get()).toEqual({ value });
      }),
    );
  });

  test("is rejected if SQL cannot represent it", () => {
    expect(() => sql`SELECT ${"a\0b"}`).toThrow(Problem);
    expect(() => sql`SELECT ${0.5}`).toThrow(TypeError);
  });
});
