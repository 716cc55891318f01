import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { edgeProgram } from "../../../scripts/local-system/edge.ts";
import { readSystemSettings } from "../../../scripts/local-system/settings.ts";
import { Problem } from "../../../scripts/problem.ts";

let stateDir: string;
beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), "ferry-edge-"));
});
afterEach(() => rm(stateDir, { recursive: true }));

const program = (variables: Record<string, string>) =>
  edgeProgram(
    readSystemSettings({ STATE_DIR: stateDir, ...variables }),
    "s".repeat(32),
    join(stateDir, "edge.log"),
  );

test("an invalid setting of the edge is named before it is started", async () => {
  const starting = program({ MAX_FEED_BYTES: "50 MB", LOG_LEVEL: "loud" });
  await expect(starting).rejects.toThrow(Problem);
  await expect(starting).rejects.toThrow(/LOG_LEVEL: .*; MAX_FEED_BYTES: /);
});

test("the edge starts with the given settings", async () => {
  expect((await program({ MAX_FEED_BYTES: "50000000" })).name).toBe("The edge");
});
