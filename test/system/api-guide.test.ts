import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerTo, createFerry, createJob, type Ferry } from "../../client/ferry-client.ts";
import { findFreePorts } from "../../scripts/local-system/ports.ts";
import { mediaFiles } from "../../scripts/origin/make-media.ts";
import type { Origin } from "../../scripts/origin/serve-origin.ts";
import { startTestOrigin } from "../origin/test-origin.ts";
import { type SecondStorage, startSecondStorage } from "../processor/upload/second-storage.ts";
import { type CodeBlock, codeBlocks } from "./support/code-blocks.ts";
import { differencesOfShape } from "./support/same-shape.ts";
import { useSharedSystem } from "./support/shared-system.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Inside the repository, so that the examples can resolve the client. */
const exampleFolder = join(root, "dist", "api-guide");
const blocks = codeBlocks(await readFile(join(root, "docs", "api.md"), "utf8"));
const ofLanguage = (language: string) => blocks.filter((block) => block.language === language);
const [clientExample, followingExample, typescriptReceiver] = ofLanguage("ts");
const [pythonExample, pythonReceiver] = ofLanguage("python");
/** Separates the outputs of two examples. */
const separator = "\u001e";

let origin: Origin;
let storage: SecondStorage;
let system: Awaited<ReturnType<typeof useSharedSystem>>;
let ferry: Ferry;
let folder: string;
let variables: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-guide-"));
  await mkdir(exampleFolder, { recursive: true });
  [origin, storage, system] = await Promise.all([
    startTestOrigin(),
    startSecondStorage(),
    useSharedSystem("guide"),
  ]);
  ferry = createFerry({ baseUrl: system.url, apiKey: system.apiKey });
  const { secret } = await answerTo(ferry.GET("/user/webhook-secret"));
  variables = {
    FERRY_URL: system.url,
    FERRY_KEY: system.apiKey,
    FERRY_WEBHOOK_SECRET: secret,
    // Slow enough to cancel a job before it ends.
    MEDIA_URL: `${origin.url}/slow/${mediaFiles.mp3}?bytes_per_second=40000`,
    S3_ENDPOINT: storage.access.endpoint,
    S3_BUCKET: storage.access.bucket,
    S3_KEY_ID: storage.access.access_key_id,
    S3_SECRET: storage.access.secret_access_key,
  };
});
afterAll(async () => {
  await Promise.all([origin.close(), storage.close()]);
  await Promise.all([folder, exampleFolder].map((path) => rm(path, { recursive: true })));
});

test("the shell examples work from top to bottom, and their output has the documented shape", async () => {
  const receiver = await startReceiver("node", [await writeExample("receiver.ts", typescriptReceiver)]);
  const examples = ofLanguage("sh");
  const script = ["set -euo pipefail", ...examples.flatMap(({ code }) => [code, `printf '\\036'`])].join(
    "\n",
  );
  const { stdout } = await execa("bash", ["-c", script], {
    cwd: folder,
    env: { ...variables, WEBHOOK_URL: receiver.url },
  });
  const outputs = stdout.split(separator);
  expect(outputs).toHaveLength(examples.length + 1);

  const shown = examples.map((example) => blocks[blocks.indexOf(example) + 1]);
  const compared = shown.flatMap((block, index) => {
    if (block?.language !== "json") return [];
    return [differencesOfShape(JSON.parse(block.code), JSON.parse(outputs[index] ?? ""))];
  });
  expect(compared.flat()).toEqual([]);
  expect(compared.length).toBeGreaterThan(10);
  expect(receiver.printed()).toMatch(/^listening\n[0-9a-f-]{36} job_completed$/);
  await receiver.stop();
});

test("the TypeScript examples compile", async () => {
  await writeExample("client.ts", clientExample);
  await writeExample("following.ts", followingExample);
  await writeExample("receiver.ts", typescriptReceiver);
  const settings = { extends: "../../tsconfig.json", compilerOptions: { types: ["node"] }, include: ["."] };
  await writeFile(join(exampleFolder, "tsconfig.json"), JSON.stringify(settings));
  const { exitCode, stdout } = await execa("tsc", ["-p", exampleFolder], { reject: false });
  expect(stdout).toBe("");
  expect(exitCode).toBe(0);
});

test("the TypeScript client's example prints the file's URL", async () => {
  const path = await writeExample("client.ts", clientExample);
  const { stdout } = await execa("node", [path], { env: variables });
  expect(stdout).toMatch(new RegExp(`\n${system.storageUrl}/\\S+X-Amz-Signature=`));
});

test("the TypeScript example that follows a job prints its progress and outcome", async () => {
  const path = await writeExample("following.ts", followingExample);
  const { stdout } = await execa("node", [path], { env: variables });
  expect(stdout).toMatch(/^Processing Downloading [\d.]+$/m);
  expect(stdout).toMatch(/\nCompleted Finished $/);
});

test("the Python example prints what became of its job", async () => {
  const { stdout } = await execa("python3", ["-c", pythonExample?.code ?? ""], { env: variables });
  expect(stdout).toMatch(/^Completed \S.*\.mp3 \{'container': 'mp3'/);
});

test.each([
  ["TypeScript", async () => startReceiver("node", [await writeExample("receiver.ts", typescriptReceiver)])],
  ["Python", () => startReceiver("python3", ["-c", pythonReceiver?.code ?? ""])],
])("the %s receiver accepts what Ferry sends, and rejects what was modified in transit", async (_, start) => {
  const receiver = await start();
  const [headers, body] = await receiveWebhook();
  const post = async (sent: string) =>
    (await fetch(receiver.url, { method: "POST", headers, body: sent })).status;
  expect(await post(body)).toBe(204);
  expect(await post(body.replace("job_failed", "job_completed"))).toBe(401);
  const otherTime = { ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) - 1) };
  expect((await fetch(receiver.url, { method: "POST", headers: otherTime, body })).status).toBe(401);
  expect((await fetch(receiver.url, { method: "POST", body })).status).toBe(401);
  expect(receiver.printed()).toBe(`listening\n${headers["webhook-id"]} job_failed`);
  await receiver.stop();
});

test("a webhook's body has the documented shape", async () => {
  const shown = ofLanguage("json")
    .map(({ code }): unknown => JSON.parse(code))
    .find((value) => typeof value === "object" && value !== null && "type" in value);
  const [, body] = await receiveWebhook();
  const actual: unknown = JSON.parse(body);
  expect(Object.keys(actual ?? {}).toSorted()).toEqual(Object.keys(shown ?? {}).toSorted());
});

/** The headers and body of a webhook as Ferry sends it, for a cancelled job. */
async function receiveWebhook(): Promise<[Record<string, string>, string]> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  const body = { url: variables["MEDIA_URL"] ?? "", webhook_url: `http://127.0.0.1:${address.port}/hook` };
  const received = once(server, "request");
  const id = await createJob(ferry, body);
  await answerTo(ferry.POST("/jobs/{id}/cancel", { params: { path: { id } } }));
  const [request, response] = await received;
  const sent = await text(request);
  response.writeHead(204).end();
  server.close();
  const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
  return [Object.fromEntries(names.map((name) => [name, String(request.headers[name])])), sent];
}

async function writeExample(name: string, block: CodeBlock | undefined): Promise<string> {
  const path = join(exampleFolder, name);
  await writeFile(path, block?.code ?? "");
  return path;
}

/** Runs a webhook receiver and resolves once it is listening. */
async function startReceiver(program: string, args: readonly string[]) {
  const [port] = await findFreePorts(1);
  const child = execa(program, args, { env: { ...variables, PORT: String(port) }, reject: false });
  let printed = "";
  const listening = Promise.withResolvers<void>();
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
    if (printed.includes("listening")) listening.resolve();
  });
  void child.then(() => listening.reject(new Error("The receiver has ended")));
  await listening.promise;
  return {
    url: `http://127.0.0.1:${port}/hooks/ferry`,
    printed: () => printed.trim(),
    async stop() {
      child.kill();
      await child;
    },
  };
}
