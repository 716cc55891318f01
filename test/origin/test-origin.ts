import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeMedia } from "../../scripts/origin/make-media.ts";
import { startOrigin, type Origin } from "../../scripts/origin/serve-origin.ts";

/** Where the tests' media is made, once per machine. */
export const testMediaFolder = join(tmpdir(), "ferry-test-media");

/** The local origin with all of `mediaFiles`. */
export async function startTestOrigin(): Promise<Origin> {
  await makeMedia(testMediaFolder);
  return startOrigin({ folder: testMediaFolder });
}
