import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { execa } from "execa";
import type { StorageAccess } from "../../../contracts/storage-location.ts";

/** A bucket in the local storage, initially empty, and a client separate from the one under test. */
export interface LocalStorage {
  readonly access: StorageAccess;
  keys(): Promise<string[]>;
  put(objectKey: string, body: string): Promise<void>;
  get(objectKey: string): Promise<{
    readonly bytes: Buffer;
    readonly contentType: string | undefined;
    readonly contentDisposition: string | undefined;
    readonly metadata: Record<string, string> | undefined;
  }>;
  close(): Promise<void>;
}

const accessKeyId = "test";
const secretAccessKey = "secret-of-the-test";
const bucket = "media";

const worker = `export default { fetch: () => new Response("storage") };`;
const configuration = `
name = "storage"
main = "worker.js"
compatibility_date = "2026-10-01"
[[r2_buckets]]
binding = "MEDIA"
bucket_name = "${bucket}"
[r2_buckets.local_dev]
experimental_s3_credentials = { accessKeyId = "${accessKeyId}", secretAccessKey = "${secretAccessKey}" }
`;

/** R2 in the local runtime, with its own port and folder, used through its S3 API. */
export async function startLocalStorage(): Promise<LocalStorage> {
  const folder = await mkdtemp(join(tmpdir(), "ferry-test-storage-"));
  await writeFile(join(folder, "worker.js"), worker);
  await writeFile(join(folder, "wrangler.toml"), configuration);
  const args = ["dev", "--ip", "127.0.0.1", "--port", "0", "--inspector-port", "0"];
  const server = execa("wrangler", [...args, "--persist-to", folder], {
    cwd: folder,
    preferLocal: true,
    localDir: import.meta.dirname,
    env: { WRANGLER_SEND_METRICS: "false", CI: "true" },
    stdin: "ignore",
    all: true,
    reject: false,
    killDescendants: true,
  });
  const url = await readyUrl(server);
  const access: StorageAccess = {
    endpoint: `${url}/cdn-cgi/local/r2/s3`,
    bucket,
    region: "auto",
    access_key_id: accessKeyId,
    secret_access_key: secretAccessKey,
    force_path_style: true,
  };
  const client = new S3Client({
    endpoint: access.endpoint,
    region: access.region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });

  return {
    access,
    async keys() {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
      return Contents.flatMap(({ Key }) => Key ?? []);
    },
    async put(objectKey, body) {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: objectKey, Body: body }));
    },
    async get(objectKey) {
      const answer = await client.send(new GetObjectCommand({ Bucket: bucket, Key: objectKey }));
      return {
        bytes: Buffer.from((await answer.Body?.transformToByteArray()) ?? []),
        contentType: answer.ContentType,
        contentDisposition: answer.ContentDisposition,
        metadata: answer.Metadata,
      };
    },
    async close() {
      client.destroy();
      server.kill();
      await server;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function readyUrl(server: { readonly all: AsyncIterable<unknown> }): Promise<string> {
  let printed = "";
  for await (const chunk of server.all) {
    printed += String(chunk);
    const [, url] = /Ready on (http:\/\/[\d.:]+)/.exec(printed) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`the local storage did not start:\n${printed}`);
}
