import { readdirSync, readFileSync } from "node:fs";
import { Validator } from "@cfworker/json-schema";
import { describe, expect, test } from "vitest";
import { reportRequestSchema } from "../../contracts/report.ts";
import { taskRequestSchema } from "../../contracts/task.ts";
import { type MessageName, messages, messageSchemas, recordingSchema } from "./messages.ts";

// Edge and nodes are never updated at the same moment, so each must understand messages of the other's previous
// version, and the other way round. Missing fields have defaults, and unknown ones are ignored, except options that were
// given: a file that was made without them would be wrong.
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

test.for(names)(
  "fields that a later version adds anywhere in a %s, but to a task's options, are ignored",
  (name) => {
    for (const message of messages[name]) {
      const schema = messageSchemas[name];
      expect(schema.parse(withUnknownFields(message))).toEqual(schema.parse(message));
    }
  },
);

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

test.for([
  { given: "x265", isRefused: true },
  { given: true, isRefused: true },
  { given: 0, isRefused: true },
  { given: [], isRefused: true },
  { given: null, isRefused: false },
  { given: false, isRefused: false },
])(
  "a task with an option that only a later version knows, set to $given, is refused: $isRefused",
  ({ given, isRefused }) => {
    const later = messages.task.map((task) => ({
      ...task,
      options: { ...task.options, added_later: given },
    }));
    for (const { isUnreadable = false } of taskRequestSchema.parse({ tasks: later }).tasks.map(asArrived))
      expect(isUnreadable).toBe(isRefused);
  },
);

function asArrived(task: object): { isUnreadable?: boolean } {
  return task;
}

function withUnknownFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknownFields);
  if (typeof value !== "object" || value === null) return value;
  const known = Object.entries(value).map(([key, item]) => [
    key,
    key === "options" ? item : withUnknownFields(item),
  ]);
  return { ...Object.fromEntries(known), added_by_a_later_version: { anything: [1] } };
}
