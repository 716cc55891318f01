import { parseArgs } from "node:util";
import { execa } from "execa";
import { provideTools } from "./local-system/tools.ts";
import { stopSignal } from "./local-system/stop-signal.ts";
import { Problem, runScript } from "./problem.ts";
import { soakSystem } from "./soak/soak-system.ts";

const usage = `npm run soak [-- --schedules <count> --faults <count> --minutes <count> | --seed <seed>]

First runs the simulator of the protocol over many schedules of faults: 100,000 without an argument. It prints the seed of
each schedule in which something was lost or done twice; --seed runs that one again, and nothing else.

Then lets a real system work, with an edge and two nodes of its own, while they are killed and halted at random, and
messages and requests to storage are lost, doubled, late or refused: until 500 faults, or 30 minutes if that is sooner.
Then every job has to end, the audit has to find nothing, and jobs of killed nodes must have been in work again within
45 seconds. A count of 0 leaves a part out.`;

await runScript(async () => {
  const { seed, schedules, faults, minutes } = readArguments();
  const isSimulatorRight = schedules === 0 || (await simulate(schedules, seed));
  if (seed !== undefined || faults === 0) return isSimulatorRight ? 0 : 1;
  await provideTools();
  const isSystemRight = await soakSystem({ faults, minutes }, stopSignal());
  return isSimulatorRight && isSystemRight ? 0 : 1;
});

async function simulate(schedules: number, seed: number | undefined): Promise<boolean> {
  const { exitCode } = await execa("vitest", ["run", "--project", "node", "test/simulator"], {
    env: { FERRY_SIMULATOR: JSON.stringify({ schedules, ...(seed !== undefined && { seed }) }) },
    stdio: "inherit",
    reject: false,
  });
  return exitCode === 0;
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: "string" },
        schedules: { type: "string", default: "100000" },
        faults: { type: "string", default: "500" },
        minutes: { type: "string", default: "30" },
      },
    });
    return {
      seed: values.seed === undefined ? undefined : wholeNumber(values.seed),
      schedules: wholeNumber(values.schedules),
      faults: wholeNumber(values.faults),
      minutes: wholeNumber(values.minutes),
    };
  } catch (error) {
    throw new Problem(usage, { cause: error });
  }
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new RangeError(`${text} is not a whole number`);
  return Number(text);
}
