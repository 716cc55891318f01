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

/** The result as Markdown. */
export function describeResult({ jobMs, scriptMs, rounds, cores }: Result): string {
  return [
    "| median of | job, POST to Completed | fetch and put | ratio |",
    "| --- | --- | --- | --- |",
    `| ${rounds} on ${cores} cores | ${jobMs.toFixed(0)} ms | ${scriptMs.toFixed(0)} ms | ${(jobMs / scriptMs).toFixed(1)} |`,
  ].join("\n");
}
