import { expect, it } from "vitest";
import { claimAll, finishTask } from "../support/finish-job.ts";
import { silentLog } from "../support/silent-log.ts";
import { createTestApi } from "../support/test-api.ts";

const url = "https://media.example/a.mp4";

function recorder() {
  const points: AnalyticsEngineDataPoint[] = [];
  const jobPoints: AnalyticsEngineDataset = { writeDataPoint: (point) => void points.push(point ?? {}) };
  return { points, jobPoints };
}

it("writes one data point for a completed job, with its times, its bytes and its container", async () => {
  const { points, jobPoints } = recorder();
  const api = await createTestApi({ jobPoints });
  const { body } = await api.call("POST", "/jobs", { json: { url } });
  api.clock.now += 40;
  const task = (await claimAll(api.dependencies)).find(({ job_id }) => job_id === body.job_id);
  if (task === undefined) throw new Error("The job was not claimed");
  api.clock.now += 100;
  await finishTask(api.dependencies, task, { bytes: 5000 });
  expect(points).toEqual([
    {
      indexes: ["completed"],
      blobs: ["completed", "single", "mp4"],
      doubles: [40, 1, 2, 3, 140, 5000, 1],
    },
  ]);
  expect(JSON.stringify(points)).not.toContain(api.account.id);
});

it("writes one for a cancelled job, once, however often it is cancelled", async () => {
  const { points, jobPoints } = recorder();
  const api = await createTestApi({ jobPoints });
  const { body } = await api.call("POST", "/jobs", { json: { url } });
  api.clock.now += 7;
  expect((await api.call("DELETE", `/jobs/${body.job_id}`)).status).toBe(200);
  expect((await api.call("DELETE", `/jobs/${body.job_id}`)).status).toBe(400);
  expect(points).toEqual([
    { indexes: ["cancelled"], blobs: ["cancelled", "single", ""], doubles: [7, 0, 0, 0, 7, 0, 0] },
  ]);
});

it.each([
  ["there is no dataset", null],
  [
    "the platform accepts no more",
    {
      writeDataPoint: () => {
        throw new Error("Too many data points");
      },
    },
  ],
])("changes nothing for a job if %s", async (_, jobPoints) => {
  const api = await createTestApi({ jobPoints, log: silentLog });
  const { body } = await api.call("POST", "/jobs", { json: { url } });
  expect((await api.call("DELETE", `/jobs/${body.job_id}`)).status).toBe(200);
});
