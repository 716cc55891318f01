import { parseArgs } from "node:util";
import { execa } from "execa";
import { Problem, runScript } from "./problem.ts";

const usage = `npm run soak [-- --schedules <count> | --seed <seed>]

Runs the simulator of the protocol over many schedules of faults: 100,000 without an argument. It prints the seed of
each schedule in which something was lost or done twice; --seed runs that one again.`;

const schedulesWithoutArgument = "100000";

await runScript(async () => {
  const { seed, schedules } = readArguments();
  const { exitCode } = await execa("vitest", ["run", "--project", "node", "test/simulator"], {
    env: { FERRY_SIMULATOR: JSON.stringify({ schedules, ...(seed !== undefined && { seed }) }) },
    stdio: "inherit",
    reject: false,
  });
  return exitCode ?? 1;
});

function readArguments(): { seed: number | undefined; schedules: number } {
  try {
    const { values } = parseArgs({
      options: { seed: { type: "string" }, schedules: { type: "string", default: schedulesWithoutArgument } },
    });
    const seed = values.seed === undefined ? undefined : wholeNumber(values.seed);
    return { seed, schedules: wholeNumber(values.schedules) };
  } catch (error) {
    throw new Problem(usage, { cause: error });
  }
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new RangeError(`${text} is not a whole number`);
  return Number(text);
}
