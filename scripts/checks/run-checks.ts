import { styleText } from "node:util";
import { checks, runCheck, type CheckOutcome } from "./checks.ts";

/** Runs all checks side by side and prints each as it ends, with what a failed one said. */
export async function runChecks(): Promise<CheckOutcome[]> {
  return Promise.all(
    checks.map(async (check) => {
      const outcome = await runCheck(check);
      console.log(describe(outcome));
      return outcome;
    }),
  );
}

function describe({ check, passed, output, milliseconds }: CheckOutcome): string {
  const mark = passed ? styleText("green", "✓") : styleText("red", "✗");
  const line = `${mark} ${check.name} (${(milliseconds / 1000).toFixed(1)} s)`;
  return passed ? line : `${line}\n${styleText("dim", `$ ${check.command.join(" ")}`)}\n${output}\n`;
}
