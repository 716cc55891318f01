import { fileURLToPath } from "node:url";
import { findPythonProgram } from "./python-program.ts";

/** How a program is started: the executable, and what precedes the program's own arguments. */
export interface SealedCommand {
  readonly name: string;
  readonly args: readonly string[];
}

const script = fileURLToPath(new URL("sealed_program.py", import.meta.url));

/** The command that starts the downloader sealed, see `sealed_program.py`; unsealed if it is not written in Python. */
export async function sealedCommand(program: string): Promise<SealedCommand> {
  const python = await findPythonProgram(program);
  if (python === null) return { name: program, args: [] };
  return { name: python.interpreter, args: ["-I", "-B", script, python.path] };
}
