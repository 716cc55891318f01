import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import type { ImportingFile } from "./import-rules.ts";

/** Reads what each file imports and re-exports. Throws for a file that does not parse. */
export async function readImports(root: string, paths: readonly string[]): Promise<ImportingFile[]> {
  return Promise.all(paths.map(async (path) => importsOf(path, await readFile(join(root, path), "utf8"))));
}

/** What a file with this text imports and re-exports. Throws if it does not parse. */
export function importsOf(path: string, text: string): ImportingFile {
  const { module, errors } = parseSync(path, text);
  const [error] = errors;
  if (error) throw new Error(`${path}: ${error.message}`);
  const stated = module.staticImports.map((one) => one.moduleRequest.value);
  const passedOn = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest.value] : [])),
  );
  const dynamic = module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
    text.slice(start, end).replaceAll(/["'`]/g, ""),
  );
  return { path, imports: [...stated, ...passedOn, ...dynamic] };
}
