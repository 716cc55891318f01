import { glob } from "node:fs/promises";
import { fileURLToPath } from "node:url";

export const repositoryRoot = fileURLToPath(new URL("../..", import.meta.url));

const notOurs = new Set(["node_modules", "dist", ".git", ".data", ".wrangler"]);

/** The repository's files, as paths from its root with slashes, sorted. */
export async function listFiles(): Promise<string[]> {
  const entries = glob("**/*", {
    cwd: repositoryRoot,
    withFileTypes: true,
    exclude: (entry) => notOurs.has(entry.name),
  });
  const paths: string[] = [];
  for await (const entry of entries) {
    if (entry.isFile()) paths.push(`${entry.parentPath}/${entry.name}`.slice(repositoryRoot.length));
  }
  return paths.map((path) => path.replace(/^\//, "")).sort();
}
