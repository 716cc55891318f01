/** What the list of a presentation's segments says of the whole. */
export interface Manifest {
  /** More is still to come. */
  readonly isLive: boolean;
  /** Of all its segments; null where it does not say, or names some that are left out. */
  readonly durationSeconds: number | null;
}

/** Reads an HLS media playlist or a DASH manifest; null for anything else, as a list of playlists. */
export function readManifest(text: string): Manifest | null {
  if (/^\uFEFF?\s*#EXTM3U/.test(text)) return readMediaPlaylist(text);
  const [root] = /<MPD\b[^>]*>/.exec(text) ?? [];
  if (root === undefined) return null;
  return { isLive: /\stype\s*=\s*["']dynamic["']/.test(root), durationSeconds: null };
}

function readMediaPlaylist(text: string): Manifest | null {
  const lines = text.split(/\r?\n/);
  const segments = lines.filter((line) => line.startsWith("#EXTINF:"));
  if (segments.length === 0 && !lines.some((line) => line.startsWith("#EXT-X-TARGETDURATION:"))) return null;
  // A playlist of type VOD must not change, so that it is whole without saying so.
  const isWhole = lines.some((line) => /^#EXT-X-(ENDLIST|PLAYLIST-TYPE:VOD)\s*$/.test(line));
  if (!isWhole) return { isLive: true, durationSeconds: null };
  const seconds = segments.reduce((sum, line) => sum + Number.parseFloat(line.slice("#EXTINF:".length)), 0);
  const isTold = seconds > 0 && Number.isFinite(seconds) && !lines.some(isAdvertisement);
  return { isLive: false, durationSeconds: isTold ? seconds : null };
}

/** The downloader leaves out the segments behind these. */
function isAdvertisement(line: string): boolean {
  return /^#ANVATO-SEGMENT-INFO.*type=ad|^#UPLYNK-SEGMENT.*,ad$/.test(line);
}
