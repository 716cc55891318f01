import { readdirSync, readFileSync } from "node:fs";
import { Validator } from "@cfworker/json-schema";
import { describe, expect, test } from "vitest";
import { reportRequestSchema } from "../../contracts/report.ts";
import { taskRequestSchema } from "../../contracts/task.ts";
import { type MessageName, messages, messageSchemas, recordingSchema } from "./messages.ts";

// Edge and nodes are never updated at the same moment, so each must understand messages of the other's previous
// version, and the other way round. Missing fields have defaults, and unknown ones are ignored.
const folder = new URL("recorded/", import.meta.url);
const versions = readdirSync(folder).filter((name) => name.endsWith(".json"));
const names = Object.keys(messageSchemas).filter((name): name is MessageName => name in messageSchemas);

describe.for(versions)("a peer with %s", (file) => {
  const recording = recordingSchema.parse(JSON.parse(readFileSync(new URL(file, folder), "utf8")));

  test.for(names)("sends a %s that this version understands", (name) => {
    for (const message of recording.messages[name] ?? []) {
      const { error } = messageSchemas[name].safeParse(message);
      expect(error, JSON.stringify(message)).toBeUndefined();
    }
  });

  test.for(names)("understands this version's %s", (name) => {
    const schema = recording.schemas[name];
    if (schema === undefined) return;
    const validator = new Validator(schema, "7");
    for (const message of messages[name]) expect(validator.validate(message).errors).toEqual([]);
  });
});

test("a recording exists, with every kind of message", () => {
  const [file = ""] = versions;
  const recording = recordingSchema.parse(JSON.parse(readFileSync(new URL(file, folder), "utf8")));
  expect(Object.keys(recording.messages).length).toBeGreaterThan(0);
  for (const examples of Object.values(recording.messages)) expect(examples.length).toBeGreaterThan(0);
});

test.for(names)("fields that a later version adds anywhere in a %s are ignored", (name) => {
  for (const message of messages[name]) {
    const schema = messageSchemas[name];
    expect(schema.parse(withUnknownFields(message))).toEqual(schema.parse(message));
  }
});

test("a failure with a code of a later version fails its job, and not the whole message", () => {
  const later = messages.reports.map(({ reports, ...request }) => ({
    ...request,
    reports: reports.map((report) => ({ ...report, code: "not_known_yet" })),
  }));
  const understood = later.flatMap((request) => reportRequestSchema.parse(request).reports);
  const codes = understood.flatMap((report) => ("code" in report ? [report.code] : []));
  expect(codes).toEqual(["internal"]);
});

test("a task with an option of a later version is left with its claim, and the other tasks are read", () => {
  const { task } = messages;
  const later = task.map(({ options, ...rest }) => ({
    ...rest,
    job_id: "job-2",
    options: { ...options, format: "not known yet" },
  }));
  const { tasks } = taskRequestSchema.parse({ tasks: [...task, ...later] });
  expect(tasks.slice(0, task.length)).toEqual(task);
  for (const unknown of tasks.slice(task.length))
    expect(unknown).toEqual({ account_id: "account-1", job_id: "job-2", claim: 3, isUnreadable: true });
});

function withUnknownFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknownFields);
  if (typeof value !== "object" || value === null) return value;
  const known = Object.entries(value).map(([key, item]) => [key, withUnknownFields(item)]);
  return { ...Object.fromEntries(known), added_by_a_later_version: { anything: [1] } };
}
