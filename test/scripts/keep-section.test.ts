import { expect, test } from "vitest";
import { withSection } from "../../scripts/keep-section.ts";

const document = "# Title\n\nWords.\n\n## One\n\nold\n\n## Two\n\nstays\n";

test("a section is replaced in place, and the others stay", () => {
  expect(withSection(document, "One", "new")).toBe("# Title\n\nWords.\n\n## One\n\nnew\n\n## Two\n\nstays\n");
});

test("a missing section is appended", () => {
  expect(withSection(document, "Three", "more\n")).toBe(`${document}\n## Three\n\nmore\n`);
});
