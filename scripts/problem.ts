/** Something the user can mend: its message is shown as it is, without a stack. */
export class Problem extends Error {
  override readonly name = "Problem";
}

/** Runs a script's main function; a problem ends it with its sentence and exit code 1. */
export async function runScript(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    process.exitCode = 1;
    console.error(error instanceof Problem ? error.message : error);
  }
}
