import { expect, it } from "vitest";
import type { HeldJob } from "../../../contracts/heartbeat.ts";
import { createTestApi } from "../support/test-api.ts";

const held = (jobId: string, step: HeldJob["step"]): HeldJob => ({
  account_id: "someone",
  job_id: jobId,
  claim: 1,
  step,
  progress: {
    percent: 1,
    bytes_downloaded: 1,
    bytes_total: null,
    speed_bytes_per_second: 1,
    eta_seconds: null,
  },
});

it("GET /dashboard/cluster counts the jobs held by nodes, of all accounts", async () => {
  const api = await createTestApi();
  const read = async () => (await api.call("GET", "/dashboard/cluster")).body;
  expect(await read()).toEqual({ total_downloading: 0, total_muxing: 0, total_uploading: 0 });
  await api.dependencies.registry.heartbeat({
    node_id: "node-a",
    hostname: "a",
    address: "http://a",
    sequence: 1,
    free_slots: 0,
    draining: false,
    counts: { downloading: 2, muxing: 0, uploading: 1 },
    jobs: [held("one", "Downloading"), held("two", "Downloading"), held("three", "Uploading")],
  });
  expect(await read()).toEqual({ total_downloading: 2, total_muxing: 0, total_uploading: 1 });
});
