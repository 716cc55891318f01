import { expect, test } from "vitest";
import { mediaFiles } from "../../scripts/origin/make-media.ts";
import { runJob } from "./support/api.ts";
import { media } from "./support/target.ts";

const failures: [string, string, string, boolean][] = [
  [media("status/404"), "Video unavailable", "video_unavailable", false],
  [media("status/410"), "Video unavailable", "video_unavailable", false],
  [media("status/401"), "Sign in to confirm", "sign_in_required", false],
  [media("status/403"), "Sign in to confirm", "sign_in_required", false],
  [media("status/429"), "Rate limited", "rate_limited", true],
  [media("status/500"), "Source error", "source_error", true],
  [media(`cut/${mediaFiles.mp4}`), "Source error", "source_error", true],
  ["http://nothing.invalid/a.mp4", "Connection timeout", "connection_timeout", true],
  [media("text/hello"), "Unsupported URL", "unsupported_url", false],
  [media("garbage/x.mp4"), "Invalid media", "invalid_media", false],
  [media("redirect?to=http://169.254.169.254/a.mp4"), "Unsupported URL", "unsupported_url", false],
];

test.concurrent.each(failures)(
  "%s fails with the message and code of its reason [failure-texts, redirect-private, sanitized, no-file-of-failure]",
  async (url, sentence, code, retryable) => {
    const job = await runJob({ url });
    expect([job.status, job.step, job.error_code, job.retryable]).toEqual([
      "Failed",
      "Finished",
      code,
      retryable,
    ]);
    expect(job.error).toMatch(new RegExp(`^${sentence}(: |$)`));
    expect(job.error).not.toMatch(/yt[-_ ]?dlp/i);
    expect([job.storage_key, job.file_size, job.storage_url]).toEqual([null, null, undefined]);
  },
  // A deployed system waits for a source that fails.
  600_000,
);
