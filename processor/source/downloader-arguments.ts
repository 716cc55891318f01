import type { Downloader } from "./downloader.ts";

interface Way {
  readonly downloader: Pick<Downloader, "safeFlags">;
  /** The filtering proxy, the only thing the program can reach. */
  readonly proxyUrl: string;
  readonly silenceMs: number;
}

function common({ downloader, proxyUrl, silenceMs }: Way): string[] {
  const socketTimeout = String(Math.max(1, Math.round(silenceMs / 1000)));
  return [...downloader.safeFlags, "--proxy", proxyUrl, "--socket-timeout", socketTimeout];
}

/** Describe what is at a URL, as one JSON document. Two entries of a list are enough to tell that it is one. */
export function describingArguments(url: string, way: Way): string[] {
  return [
    common(way),
    ["--dump-single-json", "--no-warnings", "--playlist-items", "1:2", "--extractor-retries", "2"],
    ["--", url],
  ].flat();
}

/** List all extractors by name, each followed by the URL if it is for such URLs. */
export function matchingArguments(url: string, { safeFlags }: Way["downloader"]): string[] {
  return [...safeFlags, "--list-extractors", "--", url];
}

/** List entries, each as a line of JSON, without visiting them. */
export function listingArguments(url: string, way: Way): string[] {
  const fields = "%(.{id,title,url,webpage_url,playlist_title,playlist_webpage_url})j";
  return [
    common(way),
    ["--yes-playlist", "--flat-playlist", "--lazy-playlist", "--print", fields],
    ["--no-warnings", "--extractor-retries", "2"],
    ["--", url],
  ].flat();
}

/** The beginning of a progress line; bytes so far, total bytes and its estimate follow, `NA` if unknown. */
export const progressMark = "progress:";

/**
 * Download one format of a description unchanged: never with a piece missing, and never through a converter, which
 * would open whatever it is told to without the guard.
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
    // About two minutes, like the node itself.
    ["--retries", "14", "--fragment-retries", "14"],
    ["--retry-sleep", "http:exp=0.2:15", "--retry-sleep", "fragment:exp=0.2:15"],
    ["--quiet", "--progress", "--newline"],
    ["--progress-template", `download:${progressMark}${downloaded} ${total} ${estimate}`],
  ].flat();
}
