import { afterEach, expect, it, vi } from "vitest";
import { createLog } from "../../../edge/log.ts";
import { answering, showNodes, showOf } from "../support/show-node.ts";
import { createTestApi } from "../support/test-api.ts";

const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
/** Only lines with this file's clock: the Worker may still be doing work left over from another file. */
const lines = () =>
  log.mock.calls.map(([line]) => String(line)).filter((line) => JSON.parse(line).time === 0);
afterEach(() => {
  log.mockClear();
});

const api = await createTestApi({ log: createLog("info", () => 0) });

it("logs one line for each request, under the id in its response", async () => {
  const { headers } = await api.call("GET", "/usage?token=hidden");
  expect(lines()).toHaveLength(1);
  expect(JSON.parse(lines()[0] ?? "")).toEqual({
    level: "info",
    time: 0,
    message: "Request answered",
    request_id: headers.get("x-request-id"),
    method: "GET",
    path: "/usage",
    status: 200,
    ms: 0,
    account_id: api.account.id,
  });
});

it("logs rejected requests too, without an account", async () => {
  await api.send("GET", "/usage", { headers: { "x-api-key": "sk_secret_of_someone" } });
  await api.send("DELETE", "/nowhere");
  const logged = lines().map((line) => JSON.parse(line));
  expect(logged.map(({ status }) => status)).toEqual([401, 404]);
  expect(logged.some((line) => "account_id" in line)).toBe(false);
});

it("logs neither a key nor a query nor a body", async () => {
  const webhook = "https://client.example/hook?secret=1";
  await api.call("POST", "/jobs?a=hidden", {
    json: { url: "https://media.example/private", webhook_url: webhook },
  });
  expect(lines().join("\n")).not.toMatch(/sk_|hidden|private|secret/);
  expect(lines().length).toBeGreaterThan(0);
});

it("logs which job a request created, under the request's id", async () => {
  const { headers, body } = await api.call("POST", "/jobs", { json: { url: "https://media.example/a.mp4" } });
  expect(lines().map((line): unknown => JSON.parse(line))).toContainEqual({
    level: "info",
    time: 0,
    message: "Jobs created",
    request_id: headers.get("x-request-id"),
    account_id: api.account.id,
    jobs: 1,
    job_id: body.job_id,
  });
});

it("logs a show that takes too long as a warning, without a stack", async () => {
  const cutOff = showOf(["One", "Two"]).slice(0, -1);
  const slow = await createTestApi({
    ...showNodes(answering(cutOff)),
    log: createLog("warn", () => 0),
  });
  const { status, headers } = await slow.call("POST", "/jobs", {
    json: { url: "https://podcasts.example/weekly" },
  });
  expect(status).toBe(504);
  expect(JSON.parse(lines().at(-1) ?? "")).toEqual({
    level: "warn",
    time: 0,
    message: "A request could not be served",
    request_id: headers.get("x-request-id"),
    code: "episode_extraction_timed_out",
    error: "Episode extraction timed out",
  });
});

it("gives every request its own id, whatever the client sends", async () => {
  const first = await api.send("GET", "/health", { headers: { "x-request-id": "mine" } });
  const second = await api.send("GET", "/health");
  const ids = [first, second].map(({ headers }) => headers.get("x-request-id"));
  expect(new Set([...ids, "mine"]).size).toBe(3);
});
