import { formatTable } from "../table.ts";

/** One row, file or upload that is not as it must be. */
export interface WrongRow {
  readonly accountId: string;
  readonly subject: string;
  readonly detail: string;
}

/** What was looked at, and what is wrong of it. */
export interface Finding {
  readonly name: string;
  /** What ought to hold, as a sentence. */
  readonly sentence: string;
  readonly rows: readonly WrongRow[];
  /** There are more rows than were read. */
  readonly hasMore: boolean;
}

/** A table of all findings, and below it the rows of those that do not hold. */
export function showFindings(findings: readonly Finding[]): string {
  const heading = ["check", "result", "what holds"];
  const table = formatTable([heading, ...findings.map((one) => [one.name, resultOf(one), one.sentence])]);
  const wrong = findings.filter(({ rows }) => rows.length > 0);
  const lists = wrong.map(({ name, rows, hasMore }) => {
    const lines = rows.map(({ accountId, subject, detail }) => `  ${accountId}  ${subject}: ${detail}`);
    return [`${name}:`, ...lines, ...(hasMore ? ["  … and more"] : [])].join("\n");
  });
  const verdict =
    wrong.length === 0 ? "Everything holds." : `${wrong.length} of ${findings.length} checks failed.`;
  return [table, ...lists, verdict].join("\n\n");
}

function resultOf({ rows, hasMore }: Finding): string {
  return rows.length === 0 ? "ok" : `${rows.length}${hasMore ? "+" : ""} wrong`;
}
