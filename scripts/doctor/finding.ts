import { styleText } from "node:util";

/** The result of one check. */
export interface Finding {
  /** What was checked. */
  readonly part: string;
  /** A fault keeps the system from working; a warning is worth a look; `skipped` was not checked. */
  readonly state: "ok" | "warning" | "fault" | "skipped";
  readonly says: string;
  /** What to do about it; present for every fault and warning. */
  readonly advice?: string;
}

export const ok = (part: string, says: string): Finding => ({ part, state: "ok", says });
export const skipped = (part: string, says: string): Finding => ({ part, state: "skipped", says });
export const warning = (part: string, says: string, advice: string): Finding => ({
  part,
  state: "warning",
  says,
  advice,
});
export const fault = (part: string, says: string, advice: string): Finding => ({
  part,
  state: "fault",
  says,
  advice,
});

const marks = {
  ok: styleText("green", "✓"),
  warning: styleText("yellow", "!"),
  fault: styleText("red", "✗"),
  skipped: "·",
};

/** One line each, followed by its advice. */
export function showFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ part }) => part.length));
  return findings
    .flatMap(({ part, state, says, advice }) => [
      `${marks[state]} ${part.padEnd(width)}  ${says}`,
      ...(advice === undefined ? [] : [`  ${" ".repeat(width)}  → ${advice}`]),
    ])
    .join("\n");
}
