import { buildAssets } from "./build-assets.ts";
import { runChecks } from "./checks/run-checks.ts";
import { browserTool, nodeTools, provideTools } from "./local-system/tools.ts";
import { runScript } from "./problem.ts";
import { bundleWorker } from "./tests/bundle-worker.ts";
import { runTests } from "./tests/run-tests.ts";
import { addCounts } from "./tests/test-report.ts";

await runScript(async () => {
  await provideTools([...nodeTools, browserTool]);
  await buildAssets();
  const outcomes = await runChecks();
  const checked = outcomes.map(({ passed }) => ({ passed: passed ? 1 : 0, failed: passed ? 0 : 1 }));
  const { passed, failed } = addCounts([...checked, await bundleWorker(), await runTests()]);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
});
