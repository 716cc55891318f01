/** Something the user can fix: its message is shown as it is, without a stack trace. */
export class Problem extends Error {
  override readonly name = "Problem";
}

/** Runs a script's main function; a Problem ends it with its message and exit code 1. */
export async function runScript(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    process.exitCode = 1;
    console.error(error instanceof Problem ? error.message : error);
  }
}
