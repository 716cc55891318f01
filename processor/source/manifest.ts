/** What a presentation's segment list says about the whole. */
export interface Manifest {
  /** More is still to come. */
  readonly isLive: boolean;
  /** The duration of all segments; null if it is not stated, or some listed segments are left out. */
  readonly durationSeconds: number | null;
}

/** Parses an HLS media playlist or a DASH manifest; null for anything else, such as a list of playlists. */
export function readManifest(text: string): Manifest | null {
  if (/^\uFEFF?\s*#EXTM3U/.test(text)) return readMediaPlaylist(text);
  // Each pattern for a tag stops at the next one: a text of a million unclosed tags would take quadratic time.
  const [root] = /<MPD\b[^<>]*>/.exec(text) ?? [];
  if (root === undefined) return null;
  const isLive = /\stype\s*=\s*["']dynamic["']/.test(root);
  return { isLive, durationSeconds: isLive ? null : secondsOfPresentation(root, text) };
}

/** The duration of all periods together: the downloader may provide only one, which is not what was requested. */
function secondsOfPresentation(root: string, text: string): number | null {
  const [, told = ""] = /\smediaPresentationDuration\s*=\s*["']([^"']*)["']/.exec(root) ?? [];
  const periods = (text.match(/<Period\b[^<>]*>/g) ?? []).map((period) => {
    const [, duration = ""] = /\sduration\s*=\s*["']([^"']*)["']/.exec(period) ?? [];
    return secondsOf(duration);
  });
  const sum = periods.reduce<number>((seconds, period) => seconds + (period ?? NaN), 0);
  return secondsOf(told) ?? (sum > 0 ? sum : null);
}

/** The seconds of an ISO 8601 duration of days and less, such as PT1H2M3.5S; null if it is not one. */
function secondsOf(duration: string): number | null {
  const units = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(duration);
  if (units === null) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = units.slice(1).map((unit) => Number(unit ?? 0));
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds || null;
}

function readMediaPlaylist(text: string): Manifest | null {
  const lines = text.split(/\r?\n/);
  const segments = lines.filter((line) => line.startsWith("#EXTINF:"));
  if (segments.length === 0 && !lines.some((line) => line.startsWith("#EXT-X-TARGETDURATION:"))) return null;
  // A playlist of type VOD must not change, so it is complete without saying so.
  const isWhole = lines.some((line) => /^#EXT-X-(ENDLIST|PLAYLIST-TYPE:VOD)\s*$/.test(line));
  if (!isWhole) return { isLive: true, durationSeconds: null };
  const seconds = segments.reduce((sum, line) => sum + Number.parseFloat(line.slice("#EXTINF:".length)), 0);
  // Whole numbers are rounded, which adds up to several percent with short segments. So are those written as 10.000 of
  // every segment, where the last one would be shorter.
  const lengths = segments.map((line) => /^#EXTINF:\s*(\d*\.\d+)/.exec(line)?.[1] ?? "");
  const isExact = lengths.some((length) => /\.\d*[1-9]/.test(length) || length !== lengths[0]);
  const isTold = isExact && seconds > 0 && Number.isFinite(seconds) && !lines.some(isAdvertisement);
  return { isLive: false, durationSeconds: isTold ? seconds : null };
}

/** The downloader leaves out the segments after these. */
function isAdvertisement(line: string): boolean {
  return /^#ANVATO-SEGMENT-INFO.*type=ad|^#UPLYNK-SEGMENT.*,ad$/.test(line);
}
