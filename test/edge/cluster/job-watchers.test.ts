import { expect, it } from "vitest";
import { type JobNews, jobNewsSchema } from "../../../edge/cluster/job-news.ts";
import { JobWatchers } from "../../../edge/cluster/job-watchers.ts";

const live = (sequence: number): JobNews => ({
  kind: "live",
  claim: 1,
  sequence,
  step: "Downloading",
  progress: {
    percent: 1,
    bytes_downloaded: 0,
    bytes_total: null,
    speed_bytes_per_second: 0,
    eta_seconds: null,
  },
});
const moved: JobNews = { kind: "moved" };

/** The news delivered by the next read. */
async function read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<JobNews[]> {
  const { value } = await reader.read();
  const lines = new TextDecoder().decode(value).trimEnd().split("\n");
  return lines.map((line) => jobNewsSchema.parse(JSON.parse(line)));
}

it("notifies every watcher of a job, and no other, whether or not it is already reading", async () => {
  const watchers = new JobWatchers();
  const [early, late] = [watchers.watch("job", "1").getReader(), watchers.watch("job", "2").getReader()];
  const others = watchers.watch("another", "3").getReader();
  const waiting = read(early);
  watchers.tell("job", live(1));
  expect(await waiting).toEqual([live(1)]);
  expect(await read(late)).toEqual([live(1)]);
  watchers.tell("another", moved);
  expect(await read(others)).toEqual([moved]);
});

it("keeps only the newest news for a slow watcher, and that the row has changed", async () => {
  const watchers = new JobWatchers();
  const reader = watchers.watch("job", "4").getReader();
  for (let sequence = 1; sequence < 1000; sequence += 1) {
    watchers.tell("job", live(sequence));
    watchers.tell("job", moved);
  }
  expect(await read(reader)).toEqual([moved, live(999)]);
});

it("sends waiting watchers an empty line, which carries no news", async () => {
  const watchers = new JobWatchers();
  const reader = watchers.watch("job", "5").getReader();
  const waiting = reader.read();
  watchers.touch();
  expect(new TextDecoder().decode((await waiting).value)).toBe("\n");
  watchers.tell("job", moved);
  expect(await read(reader)).toEqual([moved]);
});

it("ends the stream of a watcher that leaves, even while it is reading, and forgets it", async () => {
  const watchers = new JobWatchers();
  const [one, other] = [watchers.watch("job", "one").getReader(), watchers.watch("job", "other").getReader()];
  expect(watchers.count("job")).toBe(2);
  const waiting = one.read();
  watchers.leave("job", "one");
  expect((await waiting).done).toBe(true);
  watchers.tell("job", moved);
  expect(await read(other)).toEqual([moved]);
  watchers.leave("job", "other");
  watchers.leave("job", "nobody");
  expect([watchers.count("job"), (await other.read()).done]).toEqual([0, true]);
});

it("forgets a watcher whose stream is cancelled", async () => {
  const watchers = new JobWatchers();
  await watchers.watch("job", "one").cancel();
  expect(watchers.count("job")).toBe(0);
});
