import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { S3Client } from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { execa } from "execa";

/** What a backend developer would write: download and merge with yt-dlp, then upload with the S3 library. */
export async function runScriptPeer({
  sourceUrl,
  storageUrl,
  folder,
}: {
  sourceUrl: string;
  storageUrl: string;
  folder: string;
}): Promise<void> {
  const path = join(folder, "script.mp4");
  const output = ["--merge-output-format", "mp4", "-o", path];
  await execa("yt-dlp", [
    "--quiet",
    "--no-warnings",
    "--ignore-config",
    "-f",
    "bv*+ba",
    ...output,
    "--",
    sourceUrl,
  ]);
  await upload(path, storageUrl);
  await rm(path, { force: true });
}

async function upload(path: string, storageUrl: string): Promise<void> {
  const client = new S3Client({
    endpoint: storageUrl,
    region: "auto",
    forcePathStyle: true,
    credentials: { accessKeyId: "bench", secretAccessKey: "bench" },
  });
  const params = { Bucket: "bench", Key: "script.mp4", Body: createReadStream(path) };
  await new Upload({ client, params }).done();
}
