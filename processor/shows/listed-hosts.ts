/**
 * Pages of podcast shows whose episodes the downloader can list, by host and by path with query. Left out: hosts whose
 * listings contain no http addresses (iHeart), that are closed (Stitcher, Google Podcasts) or encrypted (Spotify), and
 * broadcasters' own sites, which have more than podcasts.
 */
const listedShows: readonly (readonly [host: RegExp, path: RegExp])[] = [
  [/^(www\.)?acast\.com$/, /^\/[^/?]+\/?(\?|$)/],
  [/^play\.acast\.com$/, /^\/s\/[^/?]+\/?(\?|$)/],
  [/^shows\.acast\.com$/, /^\/[^/?]+\/?(\?|$)/],
  [/^(www\.)?spreaker\.com$/, /^\/show\/[^/?]+\/?(\?|$)/],
  [/^api\.spreaker\.com$/, /^\/show\/\d+\/?(\?|$)/],
  [/^podbay\.fm$/, /^\/p\/[^/?]+\/?(\?|$)/],
  [/^(www\.)?podchaser\.com$/, /^\/podcasts\/[\w-]+-\d+\/?(\?|$)/],
  [/^(?!(api|cdn|embed|feeds|player|www)\.)[^.]+\.simplecast\.com$/, /^\/(episodes\/?)?(\?|$)/],
  // With a query it is an episode.
  [/^(www\.)?tunein\.com$/, /^\/(podcasts\/[^?]+-|embed\/player\/)p\d+\/?$/],
];

/** True for the page of a show that the downloader can list. */
export function isListedShow(text: string): boolean {
  const { hostname, pathname, search } = new URL(text);
  return listedShows.some(([host, path]) => host.test(hostname) && path.test(pathname + search));
}
