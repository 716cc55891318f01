import { expect, test } from "vitest";
import { failureText } from "../../../contracts/failure.ts";
import { SourceSilent } from "../../../processor/network/network-failure.ts";
import { failureOfComplaints } from "../../../processor/source/downloader-failure.ts";

const caused = (status: string) =>
  `Unable to download webpage: HTTP Error ${status} (caused by <HTTPError ${status}>); please report this issue on  ` +
  "https://github.com/yt-dlp/yt-dlp/issues?q= , filling out the appropriate issue template.";

test.each([
  [`[generic] None: ${caused("404: Not Found")}`, "video_unavailable"],
  [`[generic] None: ${caused("410: Gone")}`, "video_unavailable"],
  [`[generic] None: ${caused("403: Forbidden")}`, "sign_in_required"],
  [`[vimeo] 1: ${caused("429: Too Many Requests")}`, "rate_limited"],
  [`[vimeo] 1: ${caused("503: Service Unavailable")}`, "source_error"],
  [`[generic] None: ${caused("470: Address not allowed")}`, "unsupported_url"],
  [`[generic] None: ${caused("471: Source unreachable")}`, "connection_timeout"],
  [
    "[generic] None: Unable to download webpage: <urlopen error Tunnel connection failed: 470 Address not allowed>",
    "unsupported_url",
  ],
  [
    "[generic] None: Unable to download webpage: <urlopen error Tunnel connection failed: 471 Source unreachable>",
    "connection_timeout",
  ],
  ["[youtube] a1: Video unavailable. This video has been removed by the uploader", "video_unavailable"],
  ["[youtube] a1: Private video. Sign in if you've been granted access to this video", "video_unavailable"],
  [
    "[youtube] a1: Sign in to confirm your age. This video may be inappropriate for some users.",
    "sign_in_required",
  ],
  [
    "[youtube] a1: Sign in to confirm you’re not a bot. Use --cookies-from-browser or --cookies",
    "sign_in_required",
  ],
  [
    "[youtube] a1: Join this channel to get access to members-only content like this video",
    "sign_in_required",
  ],
  ["[instagram] b: Requested content is not available, rate-limit reached or login required", "rate_limited"],
  ["[vimeo] 1: The page needs you to be logged in", "sign_in_required"],
  ["[youtube] a1: The uploader has not made this video available in your country", "video_unavailable"],
  ["[bbc] x: This video is not available from your location due to geo restriction", "video_unavailable"],
  ["[youtube] a1: Premieres in 3 hours", "unsupported_url"],
  ["[twitch:stream] z: The channel is not currently live", "unsupported_url"],
  ["[generic] 'x' is not a valid URL. Set --default-search", "unsupported_url"],
  ["Unsupported URL: https://media.example/words", "unsupported_url"],
  ["[html5] page: No video formats found!; please report this issue", "unsupported_url"],
  ["This video is DRM protected", "unsupported_url"],
  ["m3u8 download detected but ffmpeg could not be found. Please install", "unsupported_url"],
  ["[youtube] a1: Requested format is not available. Use --list-formats", "format_not_available"],
  ["[generic] None: Unable to download webpage: The read operation timed out", "connection_timeout"],
  [
    "[generic] None: Unable to download webpage: <urlopen error [Errno -2] Name or service not known>",
    "connection_timeout",
  ],
  [
    "[download] Got error: <urlopen error [Errno 111] Connection refused>. Giving up after 5 retries",
    "connection_timeout",
  ],
  [
    "[download] Got error: HTTP Error 404: Not Found. Giving up after 5 retries\nERROR: fragment 3 not found, unable to continue",
    "video_unavailable",
  ],
  [
    "[download] Got error: Downloaded 48674 bytes, expected 97349 bytes. Giving up after 5 retries\nERROR: fragment 3 not found, unable to continue",
    "source_error",
  ],
  ["[site] x: Unable to extract title; please report this issue", "source_error"],
])("%s", (complaint, code) => {
  const failure = failureOfComplaints(`WARNING: something else\nERROR: ${complaint}\n`);
  expect(failure?.code).toBe(code);
  expect(failureText(failure?.code ?? "internal", failure?.detail)).not.toMatch(
    /yt|dlp|http|example|youtube/i,
  );
});

test.each([
  ["[acast:channel] a: Unable to download JSON metadata: The read operation timed out", true],
  [`[generic] None: ${caused("472: Source silent")}`, true],
  [`[generic] None: ${caused("471: Source unreachable")}`, false],
  ["[generic] None: Unable to download webpage: <urlopen error [Errno 111] Connection refused>", false],
])("%s: a timeout is %s", (complaint, isSilence) => {
  const failure = failureOfComplaints(`ERROR: ${complaint}\n`);
  expect(failure).toMatchObject({ code: "connection_timeout" });
  expect(failure instanceof SourceSilent).toBe(isSilence);
});

test("without an error message the source has not failed", () => {
  expect(failureOfComplaints("Traceback (most recent call last):\nRuntimeError\n")).toBeNull();
});

test("a description that exceeds its memory is a failure of the source", () => {
  const traceback = 'Traceback (most recent call last):\n  File "x", line 1\nMemoryError\n';
  for (const complaints of [traceback, "ERROR: \n"]) {
    expect(failureOfComplaints(complaints)).toMatchObject({ code: "unsupported_url" });
  }
});
