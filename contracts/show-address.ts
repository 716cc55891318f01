const appleHosts = new Set(["podcasts.apple.com", "itunes.apple.com"]);

/** True if a URL itself says that it is a podcast show: an Apple Podcasts page. */
export function isShowAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { hostname, pathname, searchParams } = new URL(text);
  // With `i` the page is about a single episode.
  return appleHosts.has(hostname) && /\/id\d+\/?$/.test(pathname) && !searchParams.has("i");
}

/** True if a URL is named like a feed. It may be something else, and feeds may have other names. */
export function isNamedLikeFeed(text: string): boolean {
  if (!URL.canParse(text)) return false;
  return /(\.(xml|rss|atom)|\/(rss|feed|atom|podcast))\/?$/i.test(new URL(text).pathname);
}
