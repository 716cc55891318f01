import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { execa } from "execa";
import { afterEach, beforeEach, expect, test } from "vitest";
import { decrypt, encrypt } from "../../edge/encryption/encrypt.ts";
import { bucketSecretContext, webhookSecretContext } from "../../edge/encryption/secret-contexts.ts";
import { repositoryRoot } from "../repository/repository.ts";
import { type D1Api, startD1Api } from "./accounts/d1-api.ts";
import { openMemoryDatabase } from "./accounts/memory-database.ts";

const environment = `rotation-${process.pid}`;
const environmentFile = join(repositoryRoot, `deploy.${environment}.env`);
const [current, former] = [new Uint8Array(randomBytes(32)), new Uint8Array(randomBytes(32))];
const written = (key: Uint8Array) => Buffer.from(key).toString("base64");
const place = { accountId: "account-1", endpoint: "https://s3.example", bucket: "media" };
const bucketContext = bucketSecretContext(place);
const webhookContext = webhookSecretContext(place.accountId);

let database: DatabaseSync;
let api: D1Api;

beforeEach(async () => {
  database = await openMemoryDatabase();
  api = await startD1Api(database, "a-token-of-the-test");
  const webhook = await encrypt([former], "webhook's", webhookContext);
  database
    .prepare("INSERT INTO accounts (id, name, created_at, webhook_secret) VALUES (?, 'Acme', 1, ?)")
    .run(place.accountId, webhook);
  database
    .prepare(
      "INSERT INTO storage_locations (account_id, endpoint, bucket, secret_access_key) VALUES (?, ?, ?, ?)",
    )
    .run(place.accountId, place.endpoint, place.bucket, await encrypt([former], "bucket's", bucketContext));
});
afterEach(async () => {
  api.close();
  await rm(environmentFile, { force: true });
});

async function rotate(...lines: string[]) {
  await writeFile(environmentFile, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 });
  const args = ["scripts/rotate-encryption-key.ts", "--remote", "--environment", environment];
  return execa("node", args, { preferLocal: true, reject: false, all: true, env: api.env });
}

function stored(column: "webhook_secret" | "secret_access_key", table: "accounts" | "storage_locations") {
  return String(database.prepare(`SELECT ${column} FROM ${table}`).get()?.[column]);
}

test("the deployed database's secrets no longer need the previous key", async () => {
  const end = await rotate(
    `ENCRYPTION_KEY=${written(current)}`,
    `ENCRYPTION_KEY_PREVIOUS=${written(former)}`,
  );
  expect(end.exitCode, end.all).toBe(0);
  expect(end.stdout).toContain("bucket credentials: 1 re-encrypted, 0 left");
  expect(end.stdout).toContain("accounts' webhook secrets: 1 re-encrypted, 0 left");
  expect(end.stdout).toContain("The previous key is no longer needed.");
  const bucket = stored("secret_access_key", "storage_locations");
  expect(await decrypt([current], bucket, bucketContext)).toBe("bucket's");
  expect(await decrypt([current], stored("webhook_secret", "accounts"), webhookContext)).toBe("webhook's");
  for (const { authorization, path } of api.seen) {
    expect(authorization).toBe("Bearer a-token-of-the-test");
    expect(path).toMatch(/^\/accounts\/account\/d1\/database\/(?:[0-9a-f-]+\/query|ferry-rotation-\d+\?)/);
  }
});

test("without the previous key nothing is requested, and the message quotes no key", async () => {
  const before = stored("secret_access_key", "storage_locations");
  const end = await rotate(`ENCRYPTION_KEY=${written(current)}`);
  expect(end.exitCode).toBe(1);
  expect(end.stderr).toContain("ENCRYPTION_KEY_PREVIOUS must be 32 bytes in base64");
  expect(end.all).not.toContain(written(current));
  expect(api.seen).toEqual([]);
  expect(stored("secret_access_key", "storage_locations")).toBe(before);
});
