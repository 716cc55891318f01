const appleHosts = new Set(["podcasts.apple.com", "itunes.apple.com"]);

/** True if a URL itself says that it is a podcast show: an Apple Podcasts page, or a feed by its file extension. */
export function isShowAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { hostname, pathname, searchParams } = new URL(text);
  // With `i` the page is about a single episode.
  if (appleHosts.has(hostname)) return /\/id\d+\/?$/.test(pathname) && !searchParams.has("i");
  return /\.rss$/i.test(pathname);
}
