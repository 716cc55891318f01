import { expect, it } from "vitest";
import { countingDatabase } from "../support/database-cost.ts";
import { createTestApi } from "../support/test-api.ts";

const { database, cost } = countingDatabase();
const api = await createTestApi({ database });

/** What one more request costs an account that has made some already. */
async function costOf(request: () => Promise<{ status: number }>) {
  const before = { ...cost };
  expect((await request()).status).toBe(200);
  return {
    queries: cost.queries - before.queries,
    rowsRead: cost.rowsRead - before.rowsRead,
    rowsWritten: cost.rowsWritten - before.rowsWritten,
  };
}
const post = () => api.call("POST", "/jobs", { json: { url: "https://media.example/a.mp4" } });

it("a request costs the rows that it is about, however many jobs there are", async () => {
  const { body } = await post();
  for (let more = 0; more < 30; more += 1) await post();
  expect({
    "POST /jobs": await costOf(post),
    "GET /jobs/{id}": await costOf(() => api.call("GET", `/jobs/${body.job_id}`)),
    "GET /usage": await costOf(() => api.call("GET", "/usage")),
  }).toEqual({
    "POST /jobs": { queries: 1, rowsRead: 5, rowsWritten: 5 },
    "GET /jobs/{id}": { queries: 1, rowsRead: 1, rowsWritten: 0 },
    "GET /usage": { queries: 1, rowsRead: 1, rowsWritten: 0 },
  });
});
