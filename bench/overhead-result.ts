interface Result {
  readonly jobMs: number;
  readonly scriptMs: number;
  readonly rounds: number;
  readonly cores: number;
}

/** The middle value; of an even number the mean of the two in the middle. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const pair = [
    sorted[Math.ceil(middle) - 1] ?? Number.NaN,
    sorted[Math.floor(middle)] ?? Number.NaN,
  ] as const;
  return (pair[0] + pair[1]) / 2;
}

/** The result as a line of Markdown. */
export function describeResult({ jobMs, scriptMs, rounds, cores }: Result): string {
  const ratio = (jobMs / scriptMs).toFixed(1);
  return `Medians of ${rounds} on ${cores} cores: a job ${jobMs.toFixed(0)} ms, the script ${scriptMs.toFixed(0)} ms, **${ratio} times** as long.`;
}
