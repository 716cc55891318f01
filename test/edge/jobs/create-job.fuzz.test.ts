import * as fc from "fast-check";
import { expect, it } from "vitest";
import { countersOf } from "../support/test-account.ts";
import { createTestApi } from "../support/test-api.ts";

const api = await createTestApi();

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "",
    "..",
    "/",
    "a/b",
    "copy",
    "mp3",
    "webm",
    "opus",
    "23",
    "https://media.example/a",
    "\ud800",
  ),
);
const anyValue = fc.oneof(
  anyText,
  fc.jsonValue(),
  fc.boolean(),
  fc.constantFrom(null, -0, 0, 51, 52, 1e308, [], {}),
);
/** Mostly valid, so that many requests are valid or have one problem. */
const mostly = (good: fc.Arbitrary<unknown>, other: fc.Arbitrary<unknown> = anyValue) =>
  fc.oneof({ weight: 12, arbitrary: good }, { weight: 1, arbitrary: other });
const anyUrl = mostly(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.oneof(
    fc.ipV4Extended().map((address) => `http://${address}/`),
    fc.ipV6().map((address) => `http://[${address}]/`),
    anyValue,
  ),
);
const anyRequest = fc
  .record(
    {
      url: anyUrl,
      format: mostly(fc.constantFrom("mp4", "mkv", "webm", "mov", "mp3")),
      video_codec: mostly(fc.constantFrom("copy", "h264", "h265", "vp9")),
      audio_codec: mostly(fc.constantFrom("copy", "aac", "opus", "mp3")),
      audio_bitrate: mostly(fc.constant("64k")),
      video_quality: mostly(fc.integer({ min: 0, max: 51 })),
      filename: mostly(anyText),
      folder: mostly(fc.constantFrom("a", "a/b", "ü/"), anyText),
      webhook_url: anyUrl,
      audio_only: mostly(fc.boolean()),
      quality_preset: mostly(fc.constant("low")),
    },
    { requiredKeys: ["url"] },
  )
  .chain((known) =>
    mostly(fc.constant({}), fc.dictionary(anyText, fc.jsonValue(), { maxKeys: 2 })).map((unknown) =>
      Object.assign({}, unknown, known),
    ),
  );
const anyBody = fc.oneof(
  { weight: 5, arbitrary: anyRequest.map((request) => JSON.stringify(request)) },
  fc.json(),
  fc.string({ unit: "binary" }),
  fc.uint8Array().map((bytes) => Uint8Array.from(bytes)),
);
const anyContentType = fc.oneof(
  { weight: 8, arbitrary: fc.constant("application/json") },
  fc.constantFrom("", "text/plain", "application/json; charset=latin1", "multipart/form-data"),
);

it("answers any body with a published response, and creates a job exactly if it says so", async () => {
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(anyBody, anyContentType, async (body, contentType) => {
      const before = await countersOf(api.dependencies, api.account.id);
      const answer = await api.call("POST", "/jobs", { body, headers: { "content-type": contentType } });
      seen.add(answer.status);
      expect([200, 400, 415]).toContain(answer.status);
      const created = answer.status === 200 ? 1 : 0;
      const after = await countersOf(api.dependencies, api.account.id);
      expect(after?.["jobs_created"]).toBe((before?.["jobs_created"] ?? 0) + created);
      if (created === 1) {
        const job = await api.call("GET", `/jobs/${answer.body.job_id}`);
        expect(job.status).toBe(200);
      }
    }),
    { numRuns: 200 },
  );
  expect(seen).toEqual(new Set([200, 400, 415]));
});
