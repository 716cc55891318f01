import { buildAssets } from "./build-assets.ts";
import { runChecks } from "./checks/run-checks.ts";
import { browserTool, nodeTools, provideTools } from "./local-system/tools.ts";
import { runScript } from "./problem.ts";
import { bundleWorker } from "./tests/bundle-worker.ts";
import { runTests } from "./tests/run-tests.ts";
import { addCounts, type Counts } from "./tests/test-report.ts";

await runScript(async () => {
  await provideTools([...nodeTools, browserTool]);
  await buildAssets();
  const [onSystems, onInterface, { looked, others }] = await Promise.all([
    runTests("onSystems"),
    runTests("onInterface"),
    lookThenTest(),
  ]);
  const runs = [onSystems, onInterface, others];
  for (const failure of runs.flatMap(({ failures }) => failures)) console.log(`Failed: ${failure}`);
  const { passed, failed } = addCounts([...looked, ...runs.map(({ counts }) => counts)]);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
});

/** The parts that need the most CPU, one after the other. */
async function lookThenTest() {
  const outcomes = await runChecks();
  const checked = outcomes.map(({ passed }): Counts => ({ passed: passed ? 1 : 0, failed: passed ? 0 : 1 }));
  return { looked: [...checked, await bundleWorker()], others: await runTests("others") };
}
