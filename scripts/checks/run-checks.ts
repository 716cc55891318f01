import { availableParallelism } from "node:os";
import { styleText } from "node:util";
import pMap from "p-map";
import { checks, runCheck, type CheckOutcome } from "./checks.ts";

/**
 * Runs all checks, one per core, and prints each as it ends, with the output of a failed one. More at a time would not
 * be faster, and together they would need gigabytes of memory.
 */
export async function runChecks(): Promise<CheckOutcome[]> {
  return pMap(
    checks,
    async (check) => {
      const outcome = await runCheck(check);
      console.log(describe(outcome));
      return outcome;
    },
    { concurrency: availableParallelism() },
  );
}

function describe({ check, passed, output, milliseconds }: CheckOutcome): string {
  const mark = passed ? styleText("green", "✓") : styleText("red", "✗");
  const line = `${mark} ${check.name} (${(milliseconds / 1000).toFixed(1)} s)`;
  return passed ? line : `${line}\n${styleText("dim", `$ ${check.command.join(" ")}`)}\n${output}\n`;
}
