export interface Rule {
  readonly id: string;
  /** A file of `test/conformance/` by its name, or any other by its path. */
  readonly file: string;
  /** Of a test elsewhere; null: it names the rule's id itself. */
  readonly title: string | null;
}

/** The rules of the table, those not yet covered left out. */
export function readRules(markdown: string): Rule[] {
  const [covered = ""] = markdown.split(/^## Not yet covered$/m);
  const rows = [...covered.matchAll(/^\| ([a-z][a-z0-9-]*) +\| .* \| `([^`]+)`(?:: (.*?))? *\|$/gm)];
  return rows.map(([, id = "", file = "", title = null]) => ({ id, file, title }));
}

/** The ids that the titles of a test file name in brackets. */
export function ruleIdsOf(testFile: string): string[] {
  const lists = [...testFile.matchAll(/\[([a-z][a-z0-9-]*(?:, [a-z][a-z0-9-]*)*)\]["'`],/g)];
  return lists.flatMap(([, list = ""]) => list.split(", "));
}

/** What is wrong between the rules and the tests, as sentences. `read` answers null where there is no such file. */
export function findGaps(
  rules: readonly Rule[],
  conformanceFiles: readonly string[],
  read: (path: string) => string | null,
): string[] {
  const known = new Set(rules.map(({ id }) => id));
  const doubled = rules.filter(({ id }, index) => rules.findIndex((rule) => rule.id === id) !== index);
  return [
    ...doubled.map(({ id }) => `The rule ${id} is there twice`),
    ...rules.flatMap((rule) =>
      isTested(rule, read) ? [] : [`The rule ${rule.id} has no test in ${rule.file}`],
    ),
    ...conformanceFiles.flatMap((file) =>
      ruleIdsOf(read(`test/conformance/${file}`) ?? "")
        .filter((id) => !known.has(id))
        .map((id) => `${file} tests ${id}, which is no rule`),
    ),
  ];
}

function isTested({ id, file, title }: Rule, read: (path: string) => string | null): boolean {
  if (title === null) return ruleIdsOf(read(`test/conformance/${file}`) ?? "").includes(id);
  return read(file)?.includes(title) === true;
}
