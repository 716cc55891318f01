import { expect, it } from "vitest";
import { presignGet } from "../../../edge/storage/presign.ts";

it("signs like the S3 documentation's example", async () => {
  const url = await presignGet(
    {
      endpoint: "https://s3.amazonaws.com",
      bucket: "examplebucket",
      region: "us-east-1",
      access_key_id: "AKIAIOSFODNN7EXAMPLE",
      secret_access_key: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
      force_path_style: false,
    },
    "test.txt",
    Date.UTC(2013, 4, 24),
  );
  expect(url).toMatch("https://examplebucket.s3.amazonaws.com/test.txt?");
  expect(new URL(url).searchParams.get("X-Amz-Signature")).toBe(
    "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
  );
});

const local = {
  endpoint: "http://127.0.0.1:8787/cdn-cgi/local/r2/s3",
  bucket: "ferry-media",
  region: "auto",
  access_key_id: "id",
  secret_access_key: "secret",
  force_path_style: true,
};

it("keeps the endpoint's own path, and encodes as signatures require", async () => {
  const url = await presignGet(local, "a/b c+d'(e)!*/ü%2F😀.mp4", 0);
  expect(url.split("?")[0]).toBe(
    "http://127.0.0.1:8787/cdn-cgi/local/r2/s3/ferry-media/a/b%20c%2Bd%27%28e%29%21%2A/%C3%BC%252F%F0%9F%98%80.mp4",
  );
  expect(new URL(url).searchParams.get("X-Amz-Credential")).toBe("id/19700101/auto/s3/aws4_request");
  expect(url).not.toContain("secret");
});
