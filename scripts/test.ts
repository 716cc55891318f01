import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { execa } from "execa";
import { buildAssets } from "./build-assets.ts";
import { runChecks } from "./checks/run-checks.ts";
import { browserTool, nodeTools, provideTools } from "./local-system/tools.ts";
import { Problem, runScript } from "./problem.ts";
import { provideCurrentTools, toolRuns, type CurrentTools } from "./tests/current-tools.ts";
import { bundleWorker } from "./tests/bundle-worker.ts";
import { runTests, type TestRun } from "./tests/run-tests.ts";
import { addCounts, type Counts } from "./tests/test-report.ts";

const usage = `npm test                               checks, the Worker's bundle and every test but the long ones
npm run test:quick                     the tests that need neither a system, nor a browser, nor media programs
npm run test:long                      wide matrices, random fault schedules, a system under faults, the image
npm run test -- <feature> [--watch]    the tests whose path contains the word; again at each change with --watch`;

// Programs that are started often are compiled once; given to everything that this process starts.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("../dist/compile-cache", import.meta.url));

await runScript(async () => {
  const { features, quick, long, watch } = readArguments();
  if (features.length > 0 || watch) return testFeatures(features, watch);
  if (quick) return report([await runTests("quick")]);
  await provideTools([...nodeTools, browserTool]);
  await buildAssets();
  if (long)
    return report([await runTests("long"), ...(await testWithCurrentTools())], await runLongScripts());
  const [onSystems, onInterface, { checked, others }] = await Promise.all([
    runTests("onSystems"),
    runTests("onInterface"),
    checkThenTest(),
  ]);
  return report([onSystems, onInterface, others], checked);
});

/** The parts that need the most CPU, one after the other. */
async function checkThenTest() {
  const outcomes = await runChecks();
  const checked = outcomes.map(({ passed }): Counts => ({ passed: passed ? 1 : 0, failed: passed ? 0 : 1 }));
  return { checked: [...checked, await bundleWorker()], others: await runTests("others") };
}

/** On what the installed programs will be one day. Only Debian has them. */
async function testWithCurrentTools(): Promise<TestRun[]> {
  const tools = await provideCurrentTools().catch((error: unknown) => {
    console.log(
      `Not tested with current programs: ${error instanceof Error ? error.message : String(error)}`,
    );
    return null;
  });
  if (tools === null) return [];
  const inFront = (tool: keyof CurrentTools) => ({
    PATH: `${tools[tool]}${delimiter}${process.env["PATH"]}`,
  });
  const runs = [await runTests("long", ["test/processor/source/shapes/"], inFront("ytDlp"))];
  for (const { tool, files } of toolRuns) runs.push(await runTests("withTools", files, inFront(tool)));
  return runs;
}

/** Parts of what the scripts do by themselves in an hour. */
async function runLongScripts(): Promise<Counts[]> {
  const soak = ["scripts/soak.ts", "--schedules", "20000", "--edge-schedules", "200", "--faults", "100"];
  const outcomes: Counts[] = [];
  for (const args of [soak, ["scripts/image-check.ts"]]) {
    const { exitCode } = await execa(process.execPath, args, { stdio: "inherit", reject: false });
    outcomes.push(exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
  }
  return outcomes;
}

/** With vitest's own output, and its keys while it watches. */
async function testFeatures(features: readonly string[], watch: boolean): Promise<number> {
  const { exitCode } = await execa("vitest", [watch ? "watch" : "run", ...features], {
    stdio: "inherit",
    reject: false,
  });
  return exitCode ?? 1;
}

/** The last line says how many passed and failed. Returns the exit code. */
function report(runs: readonly TestRun[], checked: readonly Counts[] = []): number {
  for (const failure of runs.flatMap(({ failures }) => failures)) console.log(`Failed: ${failure}`);
  const { passed, failed } = addCounts([...checked, ...runs.map(({ counts }) => counts)]);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function readArguments() {
  const flag = { type: "boolean", default: false } as const;
  try {
    const options = { quick: flag, long: flag, watch: flag };
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    return { ...values, features: positionals };
  } catch (error) {
    throw new Problem(usage, { cause: error });
  }
}
