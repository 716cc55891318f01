import { mkdir, writeFile } from "node:fs/promises";
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { execa } from "execa";
import { generateTypes } from "../client/generate-types.ts";
import { lintDocument } from "./openapi/lint-document.ts";
import { Problem, runScript } from "./problem.ts";
import { readIfThere } from "./read-if-there.ts";

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const printProgram = at("edge/print-openapi.ts");
const documentFile = at("docs/openapi.json");
const typesFile = at("client/openapi-types.ts");

// Updates the published document and what is generated from it; with --check, says whether they are up to date.
await runScript(async () => {
  const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
  const { stdout } = await execa(process.execPath, [printProgram]);
  const document = `${stdout}\n`;
  const complaints = await lintDocument(document, documentFile);
  if (complaints.length > 0) throw new Problem(complaints.join("\n"));
  const files = { [documentFile]: document, [typesFile]: await generateTypes(document) };
  for (const [path, text] of Object.entries(files)) {
    if (values.check) await compare(path, text);
    else await keep(path, text);
  }
  return 0;
});

async function compare(path: string, text: string): Promise<void> {
  if ((await readIfThere(path))?.toString() === text) return;
  throw new Problem(`${relative(at("."), path)} is out of date with the routes. Update it: npm run openapi`);
}

async function keep(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
