import type { Downloader } from "./downloader.ts";

interface Way {
  readonly downloader: Pick<Downloader, "safeFlags">;
  /** The filtering proxy: the program reaches nothing else. */
  readonly proxyUrl: string;
  readonly silenceMs: number;
}

function common({ downloader, proxyUrl, silenceMs }: Way): string[] {
  const socketTimeout = String(Math.max(1, Math.round(silenceMs / 1000)));
  return [...downloader.safeFlags, "--proxy", proxyUrl, "--socket-timeout", socketTimeout];
}

/** Describe what is at a URL, as one JSON text. Of a list two entries are enough to know that it is one. */
export function describingArguments(url: string, way: Way): string[] {
  return [
    common(way),
    ["--dump-single-json", "--no-warnings", "--playlist-items", "1:2", "--extractor-retries", "2"],
    ["--", url],
  ].flat();
}

/** Name what a list holds, an entry a line as JSON, without looking at the entries. */
export function listingArguments(url: string, way: Way): string[] {
  const fields = "%(.{id,title,url,webpage_url,playlist_title,playlist_webpage_url})j";
  return [
    common(way),
    ["--yes-playlist", "--flat-playlist", "--lazy-playlist", "--print", fields],
    ["--no-warnings", "--extractor-retries", "2"],
    ["--", url],
  ].flat();
}

/** What a line of progress begins with; bytes so far, bytes in all and its estimate follow, `NA` where unknown. */
export const progressMark = "progress:";

/**
 * Fetch one format of a description, as it comes: never with a piece missing, and never through a converter, which
 * would open what it is told to without the guard.
 */
export function fetchingArguments(
  { infoPath, formatId, fileName }: { infoPath: string; formatId: string; fileName: string },
  way: Way,
): string[] {
  const quotedId = formatId.replaceAll(/["\\]/g, "\\$&");
  const { downloaded, total, estimate } = {
    downloaded: "%(progress.downloaded_bytes)s",
    total: "%(progress.total_bytes)s",
    estimate: "%(progress.total_bytes_estimate)s",
  };
  return [
    common(way),
    ["--load-info-json", infoPath, "--format", `best*[format_id="${quotedId}"]`],
    ["--output", fileName.replaceAll("%", "%%"), "--no-part", "--no-mtime", "--force-overwrites"],
    ["--downloader", "native", "--ffmpeg-location", "none", "--fixup", "never"],
    ["--concurrent-fragments", "4", "--abort-on-unavailable-fragments"],
    ["--retries", "5", "--fragment-retries", "5", "--retry-sleep", "exp=0.2:4"],
    ["--quiet", "--progress", "--newline"],
    ["--progress-template", `download:${progressMark}${downloaded} ${total} ${estimate}`],
  ].flat();
}
