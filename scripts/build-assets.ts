import { copyFile, mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const files = {
  "edge/swagger/swagger.html": "swagger.html",
  "edge/swagger/show-document.js": "swagger/show-document.js",
  "node_modules/swagger-ui-dist/swagger-ui-bundle.js": "swagger/swagger-ui-bundle.js",
  "node_modules/swagger-ui-dist/swagger-ui.css": "swagger/swagger-ui.css",
  "node_modules/swagger-ui-dist/favicon-32x32.png": "swagger/favicon-32x32.png",
};

/** Fills `dist/assets` with the files that the Worker serves as they are. */
export async function buildAssets(): Promise<void> {
  const folder = at("dist/assets");
  await mkdir(`${folder}/swagger`, { recursive: true });
  await Promise.all(Object.entries(files).map(([from, to]) => copyFile(at(from), `${folder}/${to}`)));
}

if (import.meta.main) await buildAssets();
