import { expect } from "vitest";
import type { HostileRow } from "./corpus/row.ts";

/** Tries all rows, one after the other, and fails with each that was answered otherwise. */
export async function expectAsInCorpus<Input, Expected>(
  corpus: readonly HostileRow<Input, Expected>[],
  answerTo: (input: Input) => Expected | Promise<Expected>,
): Promise<void> {
  const answers: Record<string, Expected> = {};
  for (const { input, why } of corpus) answers[why] = await answerTo(input);
  expect(answers).toEqual(Object.fromEntries(corpus.map(({ why, expected }) => [why, expected])));
}
