import { JobFailure } from "../pipeline/job.ts";
import { proxyRefusals } from "../network/proxy-refusals.ts";
import { failureOfStatus, MalformedAnswer, SourceSilent } from "../network/network-failure.ts";
import { liveFailure } from "./media-info.ts";

/** What an error message means, first match first. Private and deleted go together: neither can be downloaded. */
const meanings: readonly (readonly [RegExp, () => JobFailure])[] = [
  // Python's output when it runs out of memory: nothing.
  [/^\s*$/, tooMuch],
  [/file:\/\/ (urls|scheme)/i, nothingThere],
  // It wants to leave what it does not support itself to ffmpeg, which it does not get.
  [/ffmpeg (could not be|is not|not) (found|installed)/i, notUnderstood],
  [/requested format is not available/i, () => new JobFailure("format_not_available")],
  [/premieres in|live event will begin|live ?stream|is (not currently )?live\b/i, liveFailure],
  [/\bDRM\b/, () => new JobFailure("unsupported_url", "the media is protected")],
  [
    /unsupported url|not a valid url|no (video|media|audio)( formats| content)?( could be| were)? ?found/i,
    nothingThere,
  ],
  [/rate.?limit|too many requests|try again later/i, () => new JobFailure("rate_limited")],
  [/private (video|account)|video is private/i, () => new JobFailure("video_unavailable")],
  [
    /sign ?in|log ?in|logged.in|registered users|members.only|(confirm|verify) your age|age.restricted/i,
    signIn,
  ],
  [/available (in|from) your (country|location)|geo.?restrict/i, notHere],
  [/unavailable|not available|removed|deleted|does(n't| not) exist|no longer|terminated|404/i, unavailable],
  [/timed? ?out/i, silence],
  [/name or service not known|no address associated|getaddrinfo|name resolution/i, unreachable],
  [/connection refused|no route to host|network is unreachable/i, unreachable],
];

function tooMuch(): JobFailure {
  return new JobFailure("unsupported_url", "describing it takes too much memory");
}
function nothingThere(): JobFailure {
  return new JobFailure("unsupported_url");
}
function notUnderstood(): JobFailure {
  return new JobFailure("unsupported_url", "the media is protected, or delivered in an unsupported way");
}
function signIn(): JobFailure {
  return new JobFailure("sign_in_required");
}
function notHere(): JobFailure {
  return new JobFailure("video_unavailable", "not available in this region");
}
function unavailable(): JobFailure {
  return new JobFailure("video_unavailable");
}
function silence(): JobFailure {
  return new SourceSilent();
}
function unreachable(): JobFailure {
  return new JobFailure("connection_timeout");
}

/**
 * The job failure for the downloader's error messages. Its words are never passed on: they contain program, host and
 * path names. Null if there is no error message, meaning that the downloader itself broke.
 */
export function failureOfComplaints(stderr: string): JobFailure | null {
  if (/^MemoryError$/m.test(stderr)) return tooMuch();
  const complaints = stderr.split("\n").filter((line) => line.startsWith("ERROR:"));
  if (complaints.length === 0) return null;
  for (const complaint of complaints) {
    const failure = failureOfComplaint(complaint);
    if (failure !== null) return failure;
  }
  return new JobFailure("source_error");
}

function failureOfComplaint(complaint: string): JobFailure | null {
  const status = Number(/(?:HTTP Error|Tunnel connection failed:) (\d{3})/.exec(complaint)?.[1] ?? 0);
  if (status === proxyRefusals.forbidden.status) {
    return new JobFailure("unsupported_url", "the address is not allowed");
  }
  if (status === proxyRefusals.unreachable.status) return unreachable();
  if (status === proxyRefusals.silent.status) return silence();
  if (status === proxyRefusals.malformed.status) return new MalformedAnswer();
  if (status !== 0) return failureOfStatus(status);
  // A site's own words follow the extractor's name and the media's id, which mean nothing here.
  const words = complaint.replace(/^ERROR: (\[[^\]]*\] )?/, "");
  return meanings.find(([pattern]) => pattern.test(words))?.[1]() ?? null;
}
