import { runChecks } from "./checks/run-checks.ts";
import { runScript } from "./problem.ts";

await runScript(async () => {
  const outcomes = await runChecks();
  const failed = outcomes.filter((outcome) => !outcome.passed);
  console.log(
    failed.length === 0 ? "All checks passed" : `${failed.length} of ${outcomes.length} checks failed`,
  );
  return failed.length === 0 ? 0 : 1;
});
