/** One hostile input: what is sent, what it is meant to bring about, and what Ferry answers. */
export interface HostileRow<Input, Expected> {
  readonly input: Input;
  readonly why: string;
  readonly expected: Expected;
}

/** Rows of one expected answer. */
export function rows<Input, Expected>(
  expected: Expected,
  inputs: readonly (readonly [input: Input, why: string])[],
): HostileRow<Input, Expected>[] {
  return inputs.map(([input, why]) => ({ input, why, expected }));
}
