import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { findGaps, readRules, ruleIdsOf } from "./conformance-rules.ts";
import { listFiles, repositoryRoot } from "./repository.ts";

const read = (path: string) => {
  const whole = join(repositoryRoot, path);
  return existsSync(whole) ? readFileSync(whole, "utf8") : null;
};
const table = read("test/conformance/rules.md") ?? "";
const files = (await listFiles())
  .filter((path) => /^test\/conformance\/[^/]+\.test\.ts$/.test(path))
  .map((path) => basename(path));

test("every rule of the interface has its test, and every conformance test its rule", () => {
  const rules = readRules(table);
  expect(rules.length).toBeGreaterThan(200);
  expect(rules.length).toBe([...(table.split("## Not yet")[0] ?? "").matchAll(/^\| [a-z]/gm)].length);
  expect(findGaps(rules, files, read)).toEqual([]);
});

test("every conformance test names a rule, and none is skipped", () => {
  for (const file of files) {
    const text = read(`test/conformance/${file}`) ?? "";
    const titles = [
      ...text.matchAll(/^ *(?:test(?:\.\w+)*(?:\((?!["'`])[^]*?\))?\(\s*)(["'`])((?:(?!\1).)*)\1,/gm),
    ];
    expect(titles.length, file).toBeGreaterThan(0);
    expect(
      titles.filter(([, , title = ""]) => ruleIdsOf(`${title}",`).length === 0).map(([, , title]) => title),
    ).toEqual([]);
    expect(text).not.toMatch(/\b(?:test|describe)\.(?:only|skip|todo|fails)\b/);
  }
});

describe("the check detects", () => {
  const rule = { id: "a-rule", file: "some.test.ts", title: null };
  const withTest = (text: string) => (path: string) =>
    path === "test/conformance/some.test.ts" ? text : null;

  test("a rule without a test", () => {
    expect(findGaps([rule], ["some.test.ts"], withTest('test("holds [another-rule]", () => {})'))).toEqual([
      "The rule a-rule has no test in some.test.ts",
      "some.test.ts tests another-rule, which is not a rule",
    ]);
    expect(findGaps([rule], ["some.test.ts"], withTest('test("holds [b, a-rule]", () => {})'))).toEqual([
      "some.test.ts tests b, which is not a rule",
    ]);
  });

  test("a rule whose test elsewhere has another title, or is missing", () => {
    const elsewhere = { id: "a-rule", file: "test/x.test.ts", title: "holds" };
    const gap = ["The rule a-rule has no test in test/x.test.ts"];
    expect(findGaps([elsewhere], [], () => 'test("does not", () => {})')).toEqual(gap);
    expect(findGaps([elsewhere], [], () => null)).toEqual(gap);
    expect(findGaps([elsewhere], [], () => 'test("holds", () => {})')).toEqual([]);
  });

  test("a rule that exists twice", () => {
    expect(findGaps([rule, rule], [], withTest('test("holds [a-rule]", () => {})'))).toEqual([
      "The rule a-rule exists twice",
    ]);
  });
});
