import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { execa } from "execa";
import { keepSection } from "./keep-section.ts";
import { provideTools } from "./local-system/tools.ts";
import { stopSignal } from "./local-system/stop-signal.ts";
import { Problem, runScript } from "./problem.ts";
import { isRight, soakSection } from "./soak/soak-section.ts";
import { soakSystem } from "./soak/soak-system.ts";

const usage = `npm run soak [-- --schedules <count> --edge-schedules <count> --faults <count> --minutes <count> | --seed <seed> | --edge-seed <seed>]

First runs fault schedules on a model of the protocol (100,000 by default), then on the edge's own code with a real
database (1,000). Each prints the seed of a schedule in which something was lost or done twice; --seed replays that
schedule on the model, --edge-seed on the edge's code, and nothing else is run.

Then runs a real system with an edge and two nodes, which are killed and paused at random while messages and storage
requests are lost, duplicated, delayed or refused: until 500 faults, or for 30 minutes if that is sooner. After that,
every job has to end, the audit has to find nothing, and jobs of killed nodes must have been started again within 45
seconds. A count of 0 skips a part. The figures of a complete run go into docs/benchmarks.md.`;

/** Without arguments; the figures of a run at least this large are kept. */
const whole = { schedules: 100_000, edgeSchedules: 1000, faults: 500 } as const;

await runScript(async () => {
  const { seed, edgeSeed, schedules, edgeSchedules, faults, minutes } = readArguments();
  if (seed !== undefined) return (await simulate({ firstSeed: seed, lastSeed: seed, step: 1 })) ? 0 : 1;
  if (edgeSeed !== undefined) return (await runEdgeSchedules({ seed: edgeSeed })) ? 0 : 1;
  const isSimulatorRight = schedules === 0 || (await simulateOnAllCores(schedules));
  const isEdgeRight = edgeSchedules === 0 || (await runEdgeSchedules({ schedules: edgeSchedules }));
  if (faults === 0) return isSimulatorRight && isEdgeRight ? 0 : 1;
  await provideTools();
  const result = await soakSystem({ faults, minutes }, stopSignal());
  if (!isSimulatorRight || !isEdgeRight) return 1;
  if (schedules >= whole.schedules && edgeSchedules >= whole.edgeSchedules && faults >= whole.faults) {
    const section = soakSection(result, { ofProtocol: schedules, ofEdge: edgeSchedules });
    await keepSection("docs/benchmarks.md", "Faults", section);
  }
  return isRight(result) ? 0 : 1;
});

/** The seeds of the schedules to run: from the first to the last, every `step`-th. */
interface Seeds {
  readonly firstSeed: number;
  readonly lastSeed: number;
  readonly step: number;
}

/** True if nothing was lost or done twice in the first so many schedules, which the cores share. */
async function simulateOnAllCores(schedules: number): Promise<boolean> {
  const step = Math.min(schedules, availableParallelism());
  const shares = Array.from({ length: step }, (_, index) => ({
    firstSeed: 1 + index,
    lastSeed: schedules,
    step,
  }));
  const outcomes = await Promise.all(shares.map((share) => simulate(share)));
  return outcomes.every(Boolean);
}

function simulate(seeds: Seeds): Promise<boolean> {
  return runTests("node", "test/simulator", { FERRY_SIMULATOR: JSON.stringify(seeds) });
}

function runEdgeSchedules(wanted: { schedules: number } | { seed: number }): Promise<boolean> {
  return runTests("edge", "test/edge/schedules", { FERRY_SCHEDULES: JSON.stringify(wanted) });
}

async function runTests(project: string, folder: string, env: Record<string, string>): Promise<boolean> {
  const { exitCode } = await execa("vitest", ["run", "--project", project, folder], {
    env,
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
        "edge-seed": { type: "string" },
        schedules: { type: "string", default: String(whole.schedules) },
        "edge-schedules": { type: "string", default: String(whole.edgeSchedules) },
        faults: { type: "string", default: String(whole.faults) },
        minutes: { type: "string", default: "30" },
      },
    });
    return {
      seed: values.seed === undefined ? undefined : wholeNumber(values.seed),
      edgeSeed: values["edge-seed"] === undefined ? undefined : wholeNumber(values["edge-seed"]),
      schedules: wholeNumber(values.schedules),
      edgeSchedules: wholeNumber(values["edge-schedules"]),
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
