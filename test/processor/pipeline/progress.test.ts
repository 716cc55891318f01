import * as fc from "fast-check";
import { expect, test } from "vitest";
import { progressSchema } from "../../../contracts/heartbeat.ts";
import {
  advance,
  progressOf,
  startOfProgress,
  type ProgressNews,
} from "../../../processor/pipeline/progress.ts";

const share = fc.double({ min: -1, max: 2, noNaN: true });
const news: fc.Arbitrary<ProgressNews> = fc.record(
  {
    shares: fc.record({ download: share, mux: share, upload: share }, { requiredKeys: [] }),
    bytesDownloaded: fc.nat(),
    bytesTotal: fc.option(fc.nat()),
    bytesUploaded: fc.nat(),
  },
  { requiredKeys: [] },
);

test("for any input, the percentage never falls, and the output is valid", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(news, fc.nat({ max: 10_000 }))), (all) => {
      let nowMs = 1000;
      let state = startOfProgress(nowMs);
      for (const [next, passedMs] of all) {
        const before = progressOf(state, nowMs).percent;
        nowMs += passedMs;
        state = advance(state, next, nowMs);
        const shown = progressSchema.parse(progressOf(state, nowMs));
        expect(shown.percent).toBeGreaterThanOrEqual(before);
        if (shown.bytes_total !== null) expect(shown.bytes_downloaded).toBeLessThanOrEqual(shown.bytes_total);
      }
    }),
  );
});

test("a job with all stages done is at 100 percent", () => {
  const state = advance(startOfProgress(0), { shares: { download: 1, mux: 1, upload: 1 } }, 5000);
  expect(progressOf(state, 5000)).toMatchObject({ percent: 100, eta_seconds: 0 });
});

test("speed covers the last seconds, and the rest is estimated from the time taken so far", () => {
  let state = startOfProgress(0);
  for (let second = 1; second <= 20; second++) {
    const bytesDownloaded = second <= 10 ? second * 1000 : 10_000 + (second - 10) * 500;
    state = advance(
      state,
      { bytesDownloaded, bytesTotal: 18_000, shares: { download: second / 24 } },
      second * 1000,
    );
  }
  const shown = progressOf(state, 20_000);
  expect(shown).toMatchObject({ percent: 50, speed_bytes_per_second: 500, eta_seconds: 20 });
});

test("nothing is estimated before there is data to estimate from", () => {
  expect(progressOf(startOfProgress(0), 0)).toEqual({
    percent: 0,
    bytes_downloaded: 0,
    bytes_total: null,
    speed_bytes_per_second: 0,
    eta_seconds: null,
  });
});
