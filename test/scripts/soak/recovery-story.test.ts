import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { recoveryStory } from "../../../scripts/soak/recovery-story.ts";

test("lists a job's log lines and the faults between the death and the restart", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ferry-story-"));
  const line = (time: number, job_id: string) => JSON.stringify({ time, job_id });
  const write = async (name: string, lines: string[]) => {
    await writeFile(join(folder, name), `${lines.join("\n")}\n`);
    return join(folder, name);
  };
  try {
    const edge = await write("edge", [line(90, "wanted"), line(130, "wanted"), line(131, "other"), "Ready"]);
    const node = await write("node", [line(110, "wanted"), line(140, "wanted"), line(160, "wanted")]);
    const faults = [99, 120, 151].map((atMs) => ({ kind: "edge killed", atMs }));
    const recovery = { jobId: "wanted", killedAtMs: 100, tookMs: 50 };
    expect(await recoveryStory(recovery, faults, [edge, node])).toEqual([
      `10 ${line(110, "wanted")}`,
      "20 edge killed",
      `30 ${line(130, "wanted")}`,
      `40 ${line(140, "wanted")}`,
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
