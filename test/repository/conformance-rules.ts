export interface Rule {
  readonly id: string;
  /** A file of `test/conformance/` by its name, or any other by its path. */
  readonly file: string;
  /** The title of a test elsewhere; null: a test there names the rule's id. */
  readonly title: string | null;
}

/** The rules of the table, except those not yet covered. */
export function readRules(markdown: string): Rule[] {
  const [covered = ""] = markdown.split(/^## Not yet covered$/m);
  const rows = [...covered.matchAll(/^\| ([a-z][a-z0-9-]*) +\| .* \| `([^`]+)`(?:: (.*?))? *\|$/gm)];
  return rows.map(([, id = "", file = "", title = null]) => ({ id, file, title }));
}

/** The ids in brackets in the titles of a test file. */
export function ruleIdsOf(testFile: string): string[] {
  const lists = [...testFile.matchAll(/\[([a-z][a-z0-9-]*(?:, [a-z][a-z0-9-]*)*)\]["'`],/g)];
  return lists.flatMap(([, list = ""]) => list.split(", "));
}

/** The inconsistencies between the rules and the tests, as sentences. `read` returns null for a missing file. */
export function findGaps(
  rules: readonly Rule[],
  conformanceFiles: readonly string[],
  read: (path: string) => string | null,
): string[] {
  const known = new Set(rules.map(({ id }) => id));
  const doubled = rules.filter(({ id }, index) => rules.findIndex((rule) => rule.id === id) !== index);
  return [
    ...doubled.map(({ id }) => `The rule ${id} exists twice`),
    ...rules.flatMap((rule) =>
      isTested(rule, read) ? [] : [`The rule ${rule.id} has no test in ${rule.file}`],
    ),
    ...conformanceFiles.flatMap((file) =>
      ruleIdsOf(read(`test/conformance/${file}`) ?? "")
        .filter((id) => !known.has(id))
        .map((id) => `${file} tests ${id}, which is not a rule`),
    ),
  ];
}

function isTested({ id, file, title }: Rule, read: (path: string) => string | null): boolean {
  if (title === null) return ruleIdsOf(read(`test/conformance/${file}`) ?? "").includes(id);
  return read(file)?.includes(title) === true;
}
