/** Pages of podcast shows that the downloader lists the episodes of, by host and path. */
const listedShows: readonly (readonly [host: RegExp, path: RegExp])[] = [
  [/^(www\.)?acast\.com$/, /^\/[^/]+\/?$/],
  [/^play\.acast\.com$/, /^\/s\/[^/]+\/?$/],
  [/^shows\.acast\.com$/, /^\/[^/]+\/?$/],
  [/^(www\.)?spreaker\.com$/, /^\/show\/[^/]+\/?$/],
  [/^api\.spreaker\.com$/, /^\/show\/\d+\/?$/],
  [/^podbay\.fm$/, /^\/p\/[^/]+\/?$/],
  [/^(www\.)?podchaser\.com$/, /^\/podcasts\/[\w-]+-\d+\/?$/],
  [/^(?!(api|cdn|embed|feeds|player|www)\.)[^.]+\.simplecast\.com$/, /^\/(episodes\/?)?$/],
];

/** True for the page of a show that the downloader lists. */
export function isListedShow(text: string): boolean {
  const { hostname, pathname } = new URL(text);
  return listedShows.some(([host, path]) => host.test(hostname) && path.test(pathname));
}
