import { readFile } from "node:fs/promises";
import { systemErrorCode } from "./system-error.ts";

/** The content of a file; null if there is none. */
export async function readIfThere(file: string | URL): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return null;
    throw error;
  }
}
