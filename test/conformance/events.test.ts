import { expect, test } from "vitest";
import { mediaFiles } from "../../scripts/origin/make-media.ts";
import { ask, createJob, endOf, showJob } from "./support/api.ts";
import { media } from "./support/target.ts";

const slow = media(`slow/${mediaFiles.mp4}?bytes_per_second=200000`);

/** The jobs in a body of events, in order. */
async function eventsOf(id: string) {
  const { status, headers, body } = await ask("GET", `/jobs/${id}/events`);
  expect([status, headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  const events = String(body).matchAll(/^id: \d+\.\d+\ndata: (.*)$/gm);
  return [...events].map(([, data = ""]) => JSON.parse(data));
}

test("a job is followed from its current state to its end [events]", async () => {
  const id = await createJob({ url: slow, filename: "followed" });
  const jobs = await eventsOf(id);
  const steps = [...new Set(jobs.map(({ step }) => step))];
  expect(steps.at(-1)).toBe("Finished");
  expect(steps).toContain("Downloading");
  const percents = jobs.flatMap(({ progress }) => (progress === null ? [] : [progress.percent]));
  expect(percents.length).toBeGreaterThan(1);
  expect(percents).toEqual(percents.toSorted((a, b) => a - b));
  const shown = await showJob(id);
  expect({ ...jobs.at(-1), storage_url: "" }).toEqual({ ...shown, storage_url: "" });
});

test("a job that has ended is sent once [events-ended]", async () => {
  const id = await createJob({ url: media("status/404") });
  const { error } = await endOf(id);
  expect(await eventsOf(id)).toMatchObject([{ id, status: "Failed", error }]);
});
