import { expect, it } from "vitest";
import { cancelHeldBack } from "../../../edge/batches/cancel-held-back.store.ts";
import { countingDatabase } from "../support/database-cost.ts";
import { claimAll, finishTask } from "../support/finish-job.ts";
import { emptyLine } from "../support/show-batch.ts";
import { answering, showNodes, showOf } from "../support/show-node.ts";
import { createTestApi } from "../support/test-api.ts";

const { database, cost } = countingDatabase();
const titles = (count: number) => Array.from({ length: count }, (_, n) => `Episode ${n}`);

/** The cost of an operation, each figure divided by the number of episodes. */
async function costPer(episodes: number, act: () => Promise<unknown>) {
  const before = { ...cost };
  await act();
  return {
    rowsRead: (cost.rowsRead - before.rowsRead) / episodes,
    rowsWritten: (cost.rowsWritten - before.rowsWritten) / episodes,
  };
}

it("an episode costs the same number of rows, however many there are", async () => {
  for (const count of [300, 3000]) {
    const api = await createTestApi({ database, ...showNodes(answering(showOf(titles(count)))) });
    await emptyLine(api.dependencies);
    await api.call("GET", "/usage");
    let batchId = "";
    const creation = await costPer(count, async () => {
      const { body } = await api.call("POST", "/jobs", { json: { url: "https://podcasts.example/" } });
      batchId = body.batch_id;
    });
    const polls = await costPer(1, () => api.call("GET", `/batch/${batchId}`));
    const run = await costPer(100, async () => {
      for (const task of await claimAll(api.dependencies)) await finishTask(api.dependencies, task);
    });
    const cancellation = await costPer(count - 200, () =>
      cancelHeldBack(api.dependencies, api.account.id, batchId),
    );
    const rounded = (figures: Record<string, number>) =>
      Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, Math.round(figure)]));
    expect({
      creation: rounded(creation),
      "GET /batch/{id}": polls,
      "claim, key, publish and end": rounded(run),
      "cancellation of one that is held back": rounded(cancellation),
    }).toEqual({
      // The first hundred are queued, which takes another two rows each.
      creation: { rowsRead: 1, rowsWritten: count === 300 ? 5 : 4 },
      "GET /batch/{id}": { rowsRead: 2, rowsWritten: 0 },
      "claim, key, publish and end": { rowsRead: 82, rowsWritten: 22 },
      "cancellation of one that is held back": { rowsRead: 7, rowsWritten: 3 },
    });
  }
});
