/** The address without a fragment of the name under which the downloader takes orders. */
export function withoutHiddenData(text: string): string {
  const url = new URL(text);
  if (url.hash.includes("__youtubedl_smuggle")) url.hash = "";
  return url.href;
}
