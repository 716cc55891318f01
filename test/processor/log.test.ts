import { expect, test } from "vitest";
import { createLog } from "../../processor/log.ts";
import { sampleTask } from "./sample-task.ts";

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog("debug", "node-1", { write: (line) => void lines.push(line) }));
  return lines.join("");
}

test("a line is one JSON object with the node, the level's name and the message", () => {
  const line = JSON.parse(logged((log) => log.child({ job_id: "job-1" }).info("job accepted")));
  expect(line).toMatchObject({ level: "info", node_id: "node-1", job_id: "job-1", message: "job accepted" });
});

test("credentials of a task that is logged are left out", () => {
  const task = sampleTask();
  const text = logged((log) => {
    log.info(task, "spread");
    log.info({ task }, "as a field");
    log.info({ tasks: [task] }, "in a list");
  });
  expect(text).toContain(task.job_id);
  expect(text).not.toContain(task.storage.secret_access_key);
  expect(text).not.toContain(task.storage.access_key_id);
});

test("only an error's name, message, stack and cause are logged", () => {
  const error = Object.assign(new Error("outer", { cause: new TypeError("inner") }), { request: "private" });
  const text = logged((log) => log.error({ err: error }, "failed"));
  expect(JSON.parse(text).err).toMatchObject({
    name: "Error",
    message: "outer",
    cause: { name: "TypeError" },
  });
  expect(text).not.toContain("private");
});
