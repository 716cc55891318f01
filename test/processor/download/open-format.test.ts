import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openFormat } from "../../../processor/download/open-format.ts";
import { resolveSource } from "../../../processor/source/resolve-source.ts";
import { mediaFiles } from "../../../scripts/origin/make-media.ts";
import type { Origin } from "../../../scripts/origin/serve-origin.ts";
import { startTestOrigin, testMediaFolder } from "../../origin/test-origin.ts";
import { openSourceWorkshop, type SourceWorkshop } from "../source/test-context.ts";

let origin: Origin;
let workshop: SourceWorkshop;

beforeAll(async () => {
  origin = await startTestOrigin();
  workshop = await openSourceWorkshop();
});
afterAll(async () => {
  await workshop.close();
  await origin.close();
});

test("a file comes as its bytes, and nothing of it stays on disk", async () => {
  const context = await workshop.context();
  const source = await resolveSource(`${origin.url}/${mediaFiles.mp3}`, context);
  const [format] = source.formats;
  if (!format) throw new Error("no format");
  const bytes = openFormat(format, source, {
    ...context,
    downloadMemory: workshop.downloadMemory,
    onBytes: () => {},
  });
  const content = await buffer(bytes.chunks);
  expect(content.equals(readFileSync(`${testMediaFolder}/${mediaFiles.mp3}`))).toBe(true);
  expect(bytes.totalBytes()).toBe(content.length);
  expect(await readdir(context.folder)).toEqual([]);
});
