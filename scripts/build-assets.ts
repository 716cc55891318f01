import { copyFile, mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { buildDashboard } from "./assets/build-dashboard.ts";
import { readIfThere } from "./read-if-there.ts";

const require = createRequire(import.meta.url);
const swaggerUi = new URL(".", pathToFileURL(require.resolve("swagger-ui-dist/package.json")));
const ourPages = new URL("../edge/swagger/", import.meta.url);
const assets = new URL("../dist/assets/", import.meta.url);

const files = [
  { from: new URL("swagger.html", ourPages), to: "swagger.html" },
  { from: new URL("show-document.js", ourPages), to: "swagger/show-document.js" },
  { from: new URL("swagger-ui-bundle.js", swaggerUi), to: "swagger/swagger-ui-bundle.js" },
  { from: new URL("swagger-ui.css", swaggerUi), to: "swagger/swagger-ui.css" },
  { from: new URL("favicon-32x32.png", swaggerUi), to: "swagger/favicon-32x32.png" },
];

/**
 * Fills `dist/assets` with the files that the Worker serves unchanged. Existing ones are not rewritten: a running
 * system restarts its edge at each change, which ends every response in progress.
 */
export async function buildAssets(): Promise<void> {
  await mkdir(new URL("swagger/", assets), { recursive: true });
  await Promise.all(files.map(({ from, to }) => copyChanged(from, new URL(to, assets))));
  await buildDashboard(assets);
}

async function copyChanged(from: URL, to: URL): Promise<void> {
  const [wanted, present] = await Promise.all([readFile(from), readIfThere(to)]);
  if (present === null || !wanted.equals(present)) await copyFile(from, to);
}

if (import.meta.main) await buildAssets();
