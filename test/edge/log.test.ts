import { DrizzleQueryError } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { createLog, errorFields } from "../../edge/log.ts";

test("a failed query is logged without its parameters", () => {
  const cause = new Error("D1_ERROR: no such table");
  const fields = errorFields(new DrizzleQueryError("SELECT ? FROM keys", ["the-hash-of-a-key"], cause));
  expect(fields["error"]).toBe("D1_ERROR: no such table");
  expect(JSON.stringify(fields)).not.toContain("the-hash-of-a-key");
});

test("a line below the minimum level is not written, and bound fields are in all others", () => {
  const written: string[] = [];
  const write = (line: unknown) => written.push(String(line));
  vi.spyOn(console, "log").mockImplementation(write);
  const log = createLog("warn", () => 5).with({ request_id: "r" });
  log.info("quiet");
  log.warn("loud", { job_id: "j" });
  expect(written.map((line): unknown => JSON.parse(line))).toEqual([
    { level: "warn", time: 5, message: "loud", request_id: "r", job_id: "j" },
  ]);
});

test("every level uses the same console method, because wrangler adds a mark to lines of the others", () => {
  const levels = ["debug", "info", "warn", "error"] as const;
  const spies = levels.map((level) => vi.spyOn(console, level));
  const line = vi.spyOn(console, "log").mockImplementation(() => undefined);
  line.mockClear();
  const log = createLog("debug", () => 5);
  for (const level of levels) log[level]("said");
  const written = line.mock.calls.map(([text]): unknown => JSON.parse(String(text)));
  expect(written).toEqual(levels.map((level) => ({ level, time: 5, message: "said" })));
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
});
