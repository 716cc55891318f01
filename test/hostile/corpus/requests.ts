import { rows } from "./row.ts";

const json = { "content-type": "application/json" };
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const post = (body: string, headers: Record<string, string> = json) => ({
  method: "POST",
  path: "/jobs",
  headers,
  body,
});
const get = (path: string, headers: Record<string, string> = {}) => ({ method: "GET", path, headers });
const url = "https://media.example/a.mp4";

export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Requests with a valid key, unless they have their own, and their status; none of them may create anything. */
export const hostileRequests = [
  ...rows<HostileRequest, number>(400, [
    [post(""), "no body"],
    [post("{"), "JSON that is cut off"],
    [post("[]"), "an array"],
    [post("null"), "nothing"],
    [post(`{"url":"${url}"}{"url":"${url}"}`), "two bodies in one"],
    [post(deep(100_000)), "nesting that overflows a parser's stack"],
    [post(`{"__proto__":{"url":"${url}"}}`), "a prototype instead of a field"],
    [post(`{"url":"${url}","constructor":{"prototype":{}}}`), "a field of every object"],
    [post(`{"url":["${url}"]}`), "a list instead of a string"],
    [post(`{"url":{"toString":"x"}}`), "an object with its own toString"],
    [post(`{"url":"${url}","video_quality":1e400}`), "an infinite number"],
    [post(`{"url":"${url}","video_quality":"23; rm"}`), "a string instead of a number"],
    [post(`{"url":"${url}","format":"../../x"}`), "a path as a format"],
    [post(`{"url":"${url}","webhook_url":"http://169.254.169.254/"}`), "a webhook to metadata"],
    [post(`{"url":"${url}\\u0000"}`), "an escaped zero byte"],
    [post(`{"url":"https://media.example/\\ud800"}`), "an escaped half character"],
    [post(`{"url":"${url}","account_id":"someone else"}`), "a column of the table"],
    [get("/jobs/1' OR '1'='1"), "SQL as an id"],
    [get("/jobs/..%2f..%2fusage"), "a path as an id"],
    [get("/internal/%2e%2e/jobs/x"), "a detour through the nodes' routes, which a parser folds"],
    [get("/jobs?limit=1;DROP TABLE jobs"), "SQL as a number"],
    [get("/jobs?limit=-1"), "a negative limit, which means none in SQL"],
    [get("/jobs?offset=99999999999999999999"), "a number beyond integers"],
    [get("/jobs?status=__proto__"), "a prototype as a status"],
  ]),
  ...rows<HostileRequest, number>(404, [
    [get("/dashboard/..%2f..%2fwrangler.toml"), "out of the assets"],
    [get("/.env"), "a file with secrets"],
    [get("/JOBS"), "another spelling of a route"],
  ]),
  ...rows<HostileRequest, number>(413, [
    [post(`{"url":"${"a".repeat(1024 * 1024)}"}`), "a body over the limit"],
  ]),
  ...rows<HostileRequest, number>(415, [
    [post(`{"url":"${url}"}`, { "content-type": "text/plain" }), "what a form of another site can send"],
    [post(`url=${url}`, { "content-type": "application/x-www-form-urlencoded" }), "a form"],
  ]),
  ...rows<HostileRequest, number>(401, [
    [get("/jobs", { "x-api-key": "' OR 1=1 --" }), "SQL as a key"],
    [get("/jobs", { "x-api-key": `sk_${"a".repeat(29)}` }), "an unknown key"],
    [get("/jobs", { "x-api-key": `sk_${"a".repeat(7000)}` }), "a long key"],
  ]),
];
