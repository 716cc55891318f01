import { styleText } from "node:util";

const refreshMs = 1000;

/**
 * Shows `title` while `work` runs, with the elapsed seconds on a terminal, and at the end how long it took. Resolves or
 * rejects like the work.
 */
export async function showProgress<Result>(title: string, work: () => Promise<Result>): Promise<Result> {
  const begun = performance.now();
  const terminal = process.stdout.isTTY;
  const draw = () => process.stdout.write(`\r${title} … ${seconds(performance.now() - begun)}`);
  const drawing = terminal ? setInterval(draw, refreshMs) : null;
  process.stdout.write(terminal ? `${title} …` : `${title} …\n`);
  try {
    const result = await work();
    finish(styleText("green", "done"));
    return result;
  } catch (error) {
    finish(styleText("red", "failed"));
    throw error;
  } finally {
    if (drawing) clearInterval(drawing);
  }

  function finish(outcome: string): void {
    const elapsed = seconds(performance.now() - begun);
    process.stdout.write(`${terminal ? "\r\u001b[K" : ""}${title}: ${outcome} in ${elapsed}\n`);
  }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
