import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { buildDashboard } from "../../../scripts/assets/build-dashboard.ts";

let folder: string;
let assets: URL;
const files = async () => readdir(new URL("dashboard/assets/", assets));

beforeAll(async () => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  folder = await mkdtemp(join(tmpdir(), "ferry-assets-"));
  assets = pathToFileURL(join(folder, "assets/"));
  await mkdir(new URL("dashboard/assets/", assets), { recursive: true });
  await writeFile(new URL("dashboard/assets/former-build.js", assets), "");
  await buildDashboard(assets);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

test("all scripts together are under 100 KB, compressed", async () => {
  const scripts = (await files()).filter((name) => name.endsWith(".js"));
  const sizes = await Promise.all(
    scripts.map(async (name) => gzipSync(await readFile(new URL(`dashboard/assets/${name}`, assets))).length),
  );
  expect(scripts.length).toBeGreaterThan(1);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(100_000);
});

test("files of an earlier build are deleted, and only the new ones remain", async () => {
  expect(await files()).not.toContain("former-build.js");
  expect((await readdir(folder)).sort()).toEqual(["assets", "dashboard.built"]);
});

test("nothing is built without a change, and an unfinished build is repeated", async () => {
  const page = new URL("dashboard.html", assets);
  const { mtimeMs: built } = await stat(page);
  await buildDashboard(assets);
  expect((await stat(page)).mtimeMs).toBe(built);
  await rm(new URL("../dashboard.built", assets));
  await buildDashboard(assets);
  expect((await stat(page)).mtimeMs).toBeGreaterThan(built);
});
