/**
 * The address without a fragment that begins as those in which the downloader tells itself more. Nobody else's mean
 * anything to it, see `sealed-program/`; but where it is not written in Python they do, and its own mean nothing to others.
 */
export function withoutHiddenData(text: string): string {
  const url = new URL(text);
  if (url.hash.includes("__youtubedl_smuggle")) url.hash = "";
  return url.href;
}
