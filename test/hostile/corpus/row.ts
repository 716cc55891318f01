/** One hostile input: what is sent, its purpose, and the expected result. */
export interface HostileRow<Input, Expected> {
  readonly input: Input;
  readonly why: string;
  readonly expected: Expected;
}

/** Rows with the same expected result. */
export function rows<Input, Expected>(
  expected: Expected,
  inputs: readonly (readonly [input: Input, why: string])[],
): HostileRow<Input, Expected>[] {
  return inputs.map(([input, why]) => ({ input, why, expected }));
}
