import { expect, test } from "vitest";
import { recoveriesOf } from "../../../scripts/soak/recoveries.ts";

const line = (time: number, job_id: string, claim: number, message: string) => ({
  time,
  job_id,
  claim,
  message,
});

test("only a killed node's jobs are timed, until any node accepts them again", () => {
  const first = [
    line(1, "held", 1, "job accepted"),
    line(2, "ended", 1, "job accepted"),
    line(3, "ended", 1, "job completed"),
    line(4, "never", 1, "job accepted"),
    line(5, "elsewhere", 1, "job accepted"),
    line(900, "held", 3, "job accepted"),
  ];
  const second = [
    line(6, "other", 1, "job accepted"),
    line(7, "elsewhere", 2, "job accepted"),
    line(110, "held", 2, "job accepted"),
    line(120, "other", 2, "job accepted"),
  ];
  expect(recoveriesOf([{ node: 0, atMs: 10 }], [first, second])).toEqual([
    { jobId: "held", killedAtMs: 10, tookMs: 100 },
  ]);
});

test("a second kill concerns the restarted node", () => {
  const log = [
    line(1, "job", 1, "job accepted"),
    line(20, "job", 2, "job accepted"),
    line(50, "job", 3, "job accepted"),
  ];
  expect(
    recoveriesOf(
      [10, 30].map((atMs) => ({ node: 0, atMs })),
      [log],
    ),
  ).toEqual([
    { jobId: "job", killedAtMs: 10, tookMs: 10 },
    { jobId: "job", killedAtMs: 30, tookMs: 20 },
  ]);
});
