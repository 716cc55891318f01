import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import { DUMMY_ACCOUNT } from "@20minutes/s3rver/lib/models/account.js";
import type { StorageAccess } from "../../../contracts/storage-location.ts";
import { bucketSecret } from "../../system/support/planted-secrets.ts";

export interface SecondStorage {
  readonly access: StorageAccess;
  close(): Promise<void>;
}

const credentials = { access_key_id: "second-storage", secret_access_key: bucketSecret };
DUMMY_ACCOUNT.createKeyPair(credentials.access_key_id, credentials.secret_access_key);

/** An S3 server that shares no code with R2, with an empty bucket. It checks signatures and ignores If-None-Match. */
export async function startSecondStorage(): Promise<SecondStorage> {
  const folder = await mkdtemp(join(tmpdir(), "ferry-test-s3-"));
  const bucket = "second-media";
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    directory: folder,
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket }],
  });
  // It would end the test's process on any uncaught error.
  server.logger.exceptions.unhandle();
  const { port } = await server.run();
  return {
    access: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket,
      region: "us-east-1",
      ...credentials,
      force_path_style: true,
    },
    async close() {
      server.httpServer.closeAllConnections();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
