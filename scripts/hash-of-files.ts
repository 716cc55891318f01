import { createHash } from "node:crypto";
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A hash over the names and contents of the repository's files that match the patterns, as hexadecimal digits. */
export async function hashOfFiles(patterns: readonly string[]): Promise<string> {
  const paths: string[] = [];
  for await (const entry of glob(patterns, { cwd: root, withFileTypes: true })) {
    if (entry.isFile()) paths.push(join(entry.parentPath, entry.name));
  }
  const hash = createHash("sha256");
  for (const path of paths.sort())
    hash
      .update(path.slice(root.length))
      .update("\0")
      .update(await readFile(path));
  return hash.digest("hex");
}
