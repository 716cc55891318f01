import type { FailureCode } from "../server/schemas.ts";

/** What a user can do about each way a job can fail. */
export const failureAdvice: Readonly<Record<FailureCode, string>> = {
  video_unavailable:
    "The source says that this media does not exist: it was deleted, is private, or the URL is wrong. Check it at the source, then create a job with the right URL.",
  sign_in_required:
    "The source shows this media only to signed-in users or from a certain age. Ferry does not sign in anywhere; look for the media at a public address.",
  rate_limited: "The source limits how often it can be requested. Wait a few minutes, then retry.",
  connection_timeout:
    "The source could not be reached or stopped responding. If it opens in a browser, retry; it may have been down for a moment.",
  format_not_available:
    "The source has nothing that fits the options. Try another format, leave the video codec to Ferry, or request only audio if there is any.",
  unsupported_url:
    "There is no media at this URL. Use the URL of one video or episode's page, or of the media file itself.",
  is_show:
    "This URL is a podcast show. Create it by itself, as a new job: every episode becomes a job of its own.",
  source_error:
    "The source closed the connection, responded with an error, or sent too slowly. This is often temporary: retry.",
  invalid_media:
    "What the source sent is damaged, incomplete or not media. Open it in a player to see whether the source is at fault.",
  too_large: "The file is larger than this service accepts. A lower quality preset makes it smaller.",
  storage_error:
    "The bucket refused the file or could not be reached. If it is your own bucket, check its settings and its key under Account; then retry.",
  time_limit:
    "The job took longer than allowed. Without re-encoding, or at a lower quality, it takes less time.",
  interrupted:
    "The machines working on it were lost several times. Retry; the job starts from the beginning.",
  cancelled: "The job was cancelled before it ended. A retry runs it again with the same options.",
  internal:
    "Something went wrong inside Ferry, and it has been logged. Retry; if it fails again, tell the operator the job's id.",
};
