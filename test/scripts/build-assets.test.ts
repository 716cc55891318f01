import { stat } from "node:fs/promises";
import { expect, test } from "vitest";
import { buildAssets } from "../../scripts/build-assets.ts";

const page = new URL("../../dist/assets/swagger.html", import.meta.url);

test("existing assets are not rewritten, so that no running system reloads", async () => {
  await buildAssets();
  const { mtimeMs: written } = await stat(page);
  await buildAssets();
  expect((await stat(page)).mtimeMs).toBe(written);
});
