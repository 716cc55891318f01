import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { watchForLeaks } from "./leaks.ts";
import { bucketSecret, urlSecret } from "./planted-secrets.ts";

let folder: string;
const write = (name: string, text: string) => writeFile(join(folder, name), text);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-leaks-"));
  await mkdir(join(folder, "logs"));
  await mkdir(join(folder, "wrangler"));
  await write("processor-secret", "secret-of-edge-and-node\n");
  await write("logs/edge.log", "nothing of interest");
});
afterEach(() => rm(folder, { recursive: true }));

const finish = () => watchForLeaks(folder, () => [process.pid]).finish();

test("a system that leaks nothing passes, even with a URL in its database", async () => {
  await write("wrangler/d1.sqlite", `https://source.example/?token=${urlSecret}`);
  await expect(finish()).resolves.toBeUndefined();
});

test.each([
  ["an API key", `sk_${"a".repeat(29)}`],
  ["a webhook secret", "whsec_AAAAAAAAAAAA"],
  ["a presigned signature", "?X-Amz-Signature=00"],
  ["a secret in a URL", urlSecret],
  ["a bucket's secret key", bucketSecret],
  ["processor-secret", "secret-of-edge-and-node"],
])("%s in a log is found, but not quoted", async (name, text) => {
  await write("logs/node.log", `before ${text} after`);
  await expect(finish()).rejects.toThrow(new Error(`Secrets have leaked: ${name} in logs/node.log`));
});

test("a secret in the database's files is found", async () => {
  await write("wrangler/d1.sqlite-wal", `\0${bucketSecret}\0`);
  await expect(finish()).rejects.toThrow("a bucket's secret key in wrangler/d1.sqlite-wal");
});

test.runIf(process.platform === "linux")("a secret among a program's arguments is found", async () => {
  const leaks = watchForLeaks(folder, () => [process.pid]);
  const program = spawn(process.execPath, ["-e", "setTimeout(() => {}, 1000)", urlSecret]);
  await once(program, "exit");
  await expect(leaks.finish()).rejects.toThrow("a secret in a URL in the arguments of");
});
