import { S3Client } from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { execa } from "execa";
import { useOf } from "./process-tree.ts";

// `curl` piped into the S3 library; prints the CPU seconds that both took.

const [sourceUrl = "", storageUrl = ""] = process.argv.slice(2);
const client = new S3Client({
  endpoint: storageUrl,
  region: "auto",
  forcePathStyle: true,
  credentials: { accessKeyId: "bench", secretAccessKey: "bench" },
});
const before = (await useOf(process.pid)).cpuSeconds;
const curl = execa("curl", ["--silent", "--fail", sourceUrl], { buffer: false });
await new Upload({ client, params: { Bucket: "bench", Key: "curl.mp4", Body: curl.stdout } }).done();
await curl;
console.log((await useOf(process.pid)).cpuSeconds - before);
