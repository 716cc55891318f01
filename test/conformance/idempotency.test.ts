import { describe, expect, test } from "vitest";
import { mediaFiles } from "../../scripts/origin/make-media.ts";
import { ask, errorOf, runJob } from "./support/api.ts";
import { media } from "./support/target.ts";

const url = media(mediaFiles.mp3);
const send = (path: string, key: string, json?: object, header = "idempotency-key") =>
  ask("POST", path, { headers: { [header]: key }, ...(json && { json }) });
const jobsCreated = async () => (await ask("GET", "/usage")).body.usage_count;

describe("the same request under one key", () => {
  test.each([
    ["/jobs", { url, folder: "once" }, 1],
    ["/jobs/bulk", { jobs: [{ url }, { url }] }, 2],
  ])(
    "to %s is executed once and gets the same response [idempotent-replay, idempotent-header]",
    async (path, json, count) => {
      const key = crypto.randomUUID();
      const before = await jobsCreated();
      const first = await send(path, key, json);
      const again = await send(path, key, json);
      expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([200, null]);
      expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
      expect(again.body).toEqual(first.body);
      expect(await jobsCreated()).toBe(before + count);
    },
  );

  test("to retry a job is executed once [idempotent-retry]", async () => {
    const { id } = await runJob({ url: media("status/404") });
    const key = crypto.randomUUID();
    const answers = [await send(`/jobs/${id}/retry`, key), await send(`/jobs/${id}/retry`, key)];
    expect(answers[1]?.body).toEqual(answers[0]?.body);
  });

  test("sent many times concurrently creates one job [idempotent-concurrent]", async () => {
    const key = crypto.randomUUID();
    const before = await jobsCreated();
    const answers = await Promise.all(Array.from({ length: 8 }, () => send("/jobs", key, { url })));
    expect(new Set(answers.map(({ body }) => body.job_id)).size).toBe(1);
    expect(await jobsCreated()).toBe(before + 1);
  });

  test("may be spelled differently, and the header too [idempotent-parsed, idempotent-other-header]", async () => {
    const key = crypto.randomUUID();
    const first = await send("/jobs", key, { url, folder: "a" }, "x-idempotency-key");
    const again = await send("/jobs", key, { folder: "a", url });
    expect(again.body).toEqual(first.body);
  });
});

test("another request with the same key is rejected [idempotent-reused]", async () => {
  const key = crypto.randomUUID();
  await send("/jobs", key, { url });
  expect(errorOf(await send("/jobs", key, { url, folder: "other" }))).toEqual([
    400,
    "Idempotency-Key was already used with a different request",
    "idempotency_key_reused",
  ]);
  expect((await send("/jobs/bulk", key, { jobs: [{ url }] })).status).toBe(400);
});

test("a key can be reused after any response except 200 [idempotent-free]", async () => {
  const key = crypto.randomUUID();
  expect((await send("/jobs", key, { url: "nonsense" })).status).toBe(400);
  const { status, headers } = await send("/jobs", key, { url });
  expect([status, headers.get("idempotent-replayed")]).toEqual([200, null]);
});

test.each(["", "x".repeat(256), "caf\u00e9"])("the key %j is invalid [idempotent-key-form]", async (key) => {
  expect(errorOf(await send("/jobs", key, { url }))[1]).toBe("Invalid Idempotency-Key");
});
