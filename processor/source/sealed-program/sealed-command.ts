import { fileURLToPath } from "node:url";
import { findPythonProgram } from "./python-program.ts";

/** How a program is started: the executable, and what precedes the program's own arguments. */
export interface SealedCommand {
  readonly name: string;
  readonly args: readonly string[];
  /** False for a program that is not written in Python. */
  readonly canBeSealed: boolean;
}

/** On standard error of a run that was not sealed because the program has changed. */
export const unsealedMark = "this yt-dlp cannot be sealed";

const script = fileURLToPath(new URL("sealed_program.py", import.meta.url));

/** The command that starts the downloader sealed, see `sealed_program.py`, if it can be. */
export async function sealedCommand(program: string): Promise<SealedCommand> {
  const python = await findPythonProgram(program);
  if (python === null) return { name: program, args: [], canBeSealed: false };
  return { name: python.interpreter, args: ["-I", "-B", script, python.path], canBeSealed: true };
}
