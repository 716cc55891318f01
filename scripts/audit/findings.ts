import { formatTable } from "../table.ts";

/** A row, file or upload that violates an invariant. */
export interface WrongRow {
  readonly accountId: string;
  readonly subject: string;
  readonly detail: string;
}

/** What was checked, and what is wrong. */
export interface Finding {
  readonly name: string;
  /** What should be true, as a sentence. */
  readonly sentence: string;
  readonly rows: readonly WrongRow[];
  /** There are more rows than were read. */
  readonly hasMore: boolean;
}

/** A table of all findings, followed by the rows of violated ones. */
export function showFindings(findings: readonly Finding[]): string {
  const heading = ["check", "result", "invariant"];
  const table = formatTable([heading, ...findings.map((one) => [one.name, resultOf(one), one.sentence])]);
  const wrong = findings.filter(({ rows }) => rows.length > 0);
  const lists = wrong.map(({ name, rows, hasMore }) => {
    const lines = rows.map(({ accountId, subject, detail }) => `  ${accountId}  ${subject}: ${detail}`);
    return [`${name}:`, ...lines, ...(hasMore ? ["  … and more"] : [])].join("\n");
  });
  const verdict =
    wrong.length === 0 ? "No invariant is violated." : `${wrong.length} of ${findings.length} checks failed.`;
  return [table, ...lists, verdict].join("\n\n");
}

function resultOf({ rows, hasMore }: Finding): string {
  return rows.length === 0 ? "ok" : `${rows.length}${hasMore ? "+" : ""} wrong`;
}
