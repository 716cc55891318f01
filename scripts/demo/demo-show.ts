import { answerTo, type Batch, waitForBatch } from "../../client/ferry-client.ts";
import { mediaFiles } from "../origin/make-media.ts";
import { type Around, intervalMs } from "./around.ts";
import { checkFile, type Finished } from "./check-file.ts";

export const showTitle = "podcast show, 8 episodes";
const episodes = 8;
const expected = { container: "mp3", videoStreams: 0, audioStreams: 1 };

/** Sends a podcast show and checks the file of each of its episodes. */
export async function runDemoShow(around: Around): Promise<Finished[]> {
  const { ferry, origin, view, signal } = around;
  const url = `${origin.url}/feed/rss?episodes=${episodes}&media=${mediaFiles.mp3}`;
  const created = await answerTo(ferry.POST("/jobs", { body: { url } }));
  if (!("batch_id" in created)) {
    return [{ row: [showTitle, "a single job"], problems: [`${showTitle}: became a single job`] }];
  }
  await waitForBatch(ferry, created.batch_id, {
    intervalMs,
    signal,
    onPoll: (batch) => view.show(showTitle, progressOf(batch)),
  });
  return Promise.all(
    created.episode_jobs.map(async (id, index) => {
      const job = await answerTo(ferry.GET("/jobs/{id}", { params: { path: { id } }, signal }));
      return checkFile(job, { title: `episode ${index + 1}`, expected }, around);
    }),
  );
}

function progressOf({ completed_episodes, failed_episodes, total_episodes }: Batch) {
  const ended = completed_episodes + failed_episodes;
  return {
    percent: Math.floor((100 * ended) / total_episodes),
    step: `${ended} of ${total_episodes}`,
  };
}
