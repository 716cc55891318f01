/**
 * The URL without its fragment if that starts like those in which the downloader passes data to itself. With the sealed
 * program other people's have no effect, see `sealed-program/`; but if it is not written in Python they do, and its own
 * mean nothing to anyone else.
 */
export function withoutHiddenData(text: string): string {
  const url = new URL(text);
  if (url.hash.includes("__youtubedl_smuggle")) url.hash = "";
  return url.href;
}
