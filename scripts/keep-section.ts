import { readFile, writeFile } from "node:fs/promises";

/** Rewrites a section of a Markdown file, or adds it; the rest stays as it is. */
export async function keepSection(path: string, heading: string, text: string): Promise<void> {
  const old = await readFile(path, "utf8");
  await writeFile(path, withSection(old, heading, text));
}

/** The document with `text` under the second-level heading. */
export function withSection(document: string, heading: string, text: string): string {
  const [preamble = "", ...sections] = document.split(/^(?=## )/m).map((part) => part.trimEnd());
  const section = `## ${heading}\n\n${text.trimEnd()}`;
  const isThere = sections.some((one) => one.startsWith(`## ${heading}\n`));
  const kept = sections.map((one) => (one.startsWith(`## ${heading}\n`) ? section : one));
  return `${[preamble, ...kept, ...(isThere ? [] : [section])].join("\n\n")}\n`;
}
