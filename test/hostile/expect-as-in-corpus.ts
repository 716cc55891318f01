import { expect } from "vitest";
import type { HostileRow } from "./corpus/row.ts";

/** Tries all rows, one after another, and lists those with another result. */
export async function expectAsInCorpus<Input, Expected>(
  corpus: readonly HostileRow<Input, Expected>[],
  answerTo: (input: Input) => Expected | Promise<Expected>,
): Promise<void> {
  const answers: Record<string, Expected> = {};
  for (const { input, why } of corpus) answers[why] = await answerTo(input);
  expect(answers).toEqual(Object.fromEntries(corpus.map(({ why, expected }) => [why, expected])));
}
