import { DrizzleQueryError } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { createLog, errorFields } from "../../edge/log.ts";

test("a failed query is logged without its parameters", () => {
  const cause = new Error("D1_ERROR: no such table");
  const fields = errorFields(new DrizzleQueryError("SELECT ? FROM keys", ["the-hash-of-a-key"], cause));
  expect(fields["error"]).toBe("D1_ERROR: no such table");
  expect(JSON.stringify(fields)).not.toContain("the-hash-of-a-key");
});

test("a line below the minimum level is not written, and bound fields are in every other", () => {
  const written: string[] = [];
  const write = (line: unknown) => written.push(String(line));
  vi.spyOn(console, "info").mockImplementation(write);
  vi.spyOn(console, "warn").mockImplementation(write);
  const log = createLog("warn", () => 5).with({ request_id: "r" });
  log.info("quiet");
  log.warn("loud", { job_id: "j" });
  expect(written.map((line): unknown => JSON.parse(line))).toEqual([
    { level: "warn", time: 5, message: "loud", request_id: "r", job_id: "j" },
  ]);
});
