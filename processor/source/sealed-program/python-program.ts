import { open, realpath } from "node:fs/promises";
import { delimiter, join } from "node:path";

const shebangMaxBytes = 512;
/** `#!/usr/bin/python3`, `#!/opt/venv/bin/python3.12 -sP`, `#!/usr/bin/env python3`. */
const pythonShebang = /^#!\s*(?:\S*\/env\s+(?:-S\s+)?)?(\S*python[\d.]*)(?:\s+-.*)?$/;

export interface PythonProgram {
  /** Absolute. */
  readonly path: string;
  /** Path of its interpreter, or a name found on the PATH. */
  readonly interpreter: string;
}

/** Finds a program by its path or its name on the PATH; null if it is not written in Python, or not found. */
export async function findPythonProgram(program: string): Promise<PythonProgram | null> {
  const path = await findProgram(program);
  if (path === null) return null;
  const interpreter = pythonShebang.exec(await firstLine(path))?.[1];
  return interpreter === undefined ? null : { path, interpreter };
}

async function findProgram(program: string): Promise<string | null> {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const paths = program.includes("/") ? [program] : folders.map((folder) => join(folder, program));
  for (const path of paths) {
    try {
      await realpath(path);
      return path;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return null;
}

async function firstLine(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(shebangMaxBytes), 0, shebangMaxBytes, 0);
    return buffer.toString("latin1", 0, bytesRead).split(/\r?\n/, 1)[0] ?? "";
  } finally {
    await file.close();
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
