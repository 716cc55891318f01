import { beforeAll, describe, expect, test } from "vitest";
import { mediaFiles } from "../../scripts/origin/make-media.ts";
import { ask, createJob, operations, runJob, showJob } from "./support/api.ts";
import { media, target } from "./support/target.ts";

const nobody = "00000000-0000-7000-8000-000000000000";
const url = media(mediaFiles.mp3);
const slow = media(`slow/${mediaFiles.mp4}?bytes_per_second=30000`);
const theirs = { key: target.otherKey ?? "" };
/** A response without its request id. */
const comparable = ({ status, body }: { status: number; body: object }) => ({
  status,
  body: { ...body, request_id: "" },
});

let completed: { id: string; storage_key: string; storage_url: string };
let failed: { id: string };
let running: string;
let batch: { batch_id: string; job_ids: string[] };
let ids: string[];

beforeAll(async () => {
  if (target.otherKey === null) return;
  completed = await runJob({ url, folder: "private", webhook_url: "http://127.0.0.1:9/hook" });
  failed = await runJob({ url: media("status/404") });
  running = await createJob({ url: slow });
  batch = (await ask("POST", "/jobs/bulk", { json: { jobs: [{ url }] } })).body;
  const { deliveries } = (await ask("GET", `/webhooks/deliveries?job_id=${completed.id}`)).body;
  ids = [
    completed.id,
    failed.id,
    running,
    batch.batch_id,
    ...batch.job_ids,
    ...deliveries.map((one: { id: string }) => one.id),
  ];
});

describe.skipIf(target.otherKey === null)("another account", () => {
  test.each(operations.filter(({ path }) => path.includes("{id}")))(
    "gets the same response from $method $path for our resources as for missing ones [separate-things, separate-inference]",
    async ({ method, path }) => {
      const nothing = comparable(await ask(method, path.replace("{id}", nobody), theirs));
      expect(nothing.status).toBe(404);
      for (const id of ids) {
        expect(comparable(await ask(method, path.replace("{id}", id), theirs))).toEqual(nothing);
      }
    },
  );

  test("cannot change anything of ours [separate-changes]", async () => {
    expect(await showJob(completed.id)).toMatchObject({
      status: "Completed",
      storage_key: completed.storage_key,
    });
    expect((await fetch(completed.storage_url)).status).toBe(200);
    expect((await showJob(failed.id)).status).toBe("Failed");
    expect(["Pending", "Processing"]).toContain((await showJob(running)).status);
    await ask("POST", `/jobs/${running}/cancel`);
  });

  test.each(["/jobs", "/dashboard/jobs"])(
    "finds nothing of ours in %s with any filter [separate-lists]",
    async (path) => {
      const filters = [
        "limit=100",
        `batch_id=${batch.batch_id}`,
        `search=${completed.id}`,
        `search=${encodeURIComponent(url)}`,
      ];
      for (const filter of filters) {
        const { body } = await ask("GET", `${path}?${filter}`, theirs);
        expect(body.jobs.filter(({ id }: { id: string }) => ids.includes(id))).toEqual([]);
      }
      expect((await ask("GET", `${path}?batch_id=${batch.batch_id}`, theirs)).body.total).toBe(0);
    },
  );

  test("sees none of our deliveries [separate-lists]", async () => {
    for (const filter of ["", `?job_id=${completed.id}`, `?batch_id=${batch.batch_id}`]) {
      const { body } = await ask("GET", `/webhooks/deliveries${filter}`, theirs);
      expect(body.deliveries.filter((one: { job_id: string }) => ids.includes(one.job_id))).toEqual([]);
    }
  });

  test.each(
    operations.filter(({ method, path }) => method === "GET" && !path.includes("{id}") && path !== "/health"),
  )("sees $path unchanged by what we do, the cluster alone excepted [separate-counts]", async ({ path }) => {
    if (path === "/dashboard/cluster") return;
    const before = await ask("GET", path, theirs);
    await runJob({ url, folder: "private" });
    expect((await ask("GET", path, theirs)).body).toEqual(before.body);
  });

  test("has its own webhook secret, bucket and idempotency keys [separate-settings, separate-idempotency]", async () => {
    const secrets = [
      (await ask("GET", "/user/webhook-secret")).body,
      (await ask("GET", "/user/webhook-secret", theirs)).body,
    ];
    expect(secrets[0].secret).not.toBe(secrets[1].secret);
    const headers = { "idempotency-key": crypto.randomUUID() };
    const ours = await ask("POST", "/jobs", { headers, json: { url } });
    const answer = await ask("POST", "/jobs", { ...theirs, headers, json: { url } });
    expect(answer.headers.get("idempotent-replayed")).toBe(null);
    expect(answer.body.job_id).not.toBe(ours.body.job_id);
  });

  test("gets the same name for its file as if we had no files [separate-names]", async () => {
    const folder = `shared-${crypto.randomUUID()}`;
    const ours = await runJob({ url, folder, filename: "Same" });
    const { body } = await ask("POST", "/jobs", { ...theirs, json: { url, folder, filename: "Same" } });
    let job = (await ask("GET", `/jobs/${body.job_id}`, theirs)).body;
    while (job.status !== "Completed") job = (await ask("GET", `/jobs/${body.job_id}`, theirs)).body;
    expect(job.storage_key).toBe(ours.storage_key);
    expect(new URL(job.storage_url).pathname).not.toBe(new URL(ours.storage_url).pathname);
  });
});
