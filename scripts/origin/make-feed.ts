export interface MadeEpisode {
  readonly guid: string;
  readonly title: string;
  readonly url: string;
  readonly type: string;
}

export interface MadeShow {
  readonly title: string;
  readonly episodes: readonly MadeEpisode[];
  /** Where the next page is; absent on the last. */
  readonly next?: string;
}

export const feedFormats = ["rss", "rdf", "atom", "json"] as const;
export type MadeFormat = (typeof feedFormats)[number];

export const feedContentTypes: Readonly<Record<MadeFormat, string>> = {
  rss: "application/rss+xml; charset=utf-8",
  rdf: "application/rdf+xml; charset=utf-8",
  atom: "application/atom+xml; charset=utf-8",
  json: "application/feed+json",
};

/** A show of numbered episodes from `first` on; `mediaUrl` returns each one's URL. */
export function numberedShow(
  episodes: number,
  mediaUrl: (number: number) => string,
  { title = "The numbered show", first = 1 } = {},
): MadeShow {
  const numbers = Array.from({ length: episodes }, (_, index) => first + index);
  return {
    title,
    episodes: numbers.map((number) => ({
      guid: `episode-${number}`,
      title: `Episode ${number}`,
      url: mediaUrl(number),
      type: "audio/mpeg",
    })),
  };
}

/** A show as a feed of one of the formats. */
export function feedText(show: MadeShow, format: MadeFormat): string {
  return writers[format](show);
}

const writers: Readonly<Record<MadeFormat, (show: MadeShow) => string>> = {
  rss: ({ title, episodes, next }) =>
    [
      `<?xml version="1.0" encoding="UTF-8"?>`,
      `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>${markup(title)}</title>`,
      next === undefined ? "" : `<atom:link rel="next" href="${xml(next)}"/>`,
      ...episodes.map(
        ({ guid, title: name, url, type }) =>
          `<item><title>${markup(name)}</title><guid isPermaLink="false">${xml(guid)}</guid>` +
          `<enclosure url="${xml(url)}" length="0" type="${xml(type)}"/></item>`,
      ),
      `</channel></rss>`,
    ].join("\n"),
  rdf: ({ title, episodes, next }) =>
    [
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"`,
      ` xmlns:enc="http://purl.oclc.org/net/rss_2.0/enc#" xmlns:a="http://www.w3.org/2005/Atom">`,
      `<channel rdf:about="show"><title>${markup(title)}</title>`,
      next === undefined ? "" : `<a:link rel="next" href="${xml(next)}"/>`,
      `</channel>`,
      ...episodes.map(
        ({ guid, title: name, url, type }) =>
          `<item rdf:about="${xml(guid)}"><title>${markup(name)}</title>` +
          `<enc:enclosure rdf:resource="${xml(url)}" enc:type="${xml(type)}"/></item>`,
      ),
      `</rdf:RDF>`,
    ].join("\n"),
  atom: ({ title, episodes, next }) =>
    [
      `<feed xmlns="http://www.w3.org/2005/Atom"><title>${xml(title)}</title>`,
      next === undefined ? "" : `<link rel="next" href="${xml(next)}"/>`,
      ...episodes.map(
        ({ guid, title: name, url, type }) =>
          `<entry><id>${xml(guid)}</id><title>${xml(name)}</title>` +
          `<link rel="enclosure" type="${xml(type)}" href="${xml(url)}"/></entry>`,
      ),
      `</feed>`,
    ].join("\n"),
  json: ({ title, episodes, next }) =>
    JSON.stringify({
      version: "https://jsonfeed.org/version/1.1",
      title,
      ...(next !== undefined && { next_url: next }),
      items: episodes.map(({ guid, title: name, url, type }) => ({
        id: guid,
        title: name,
        attachments: [{ url, mime_type: type }],
      })),
    }),
};

function xml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
  };
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}

/** A title in RSS is HTML, embedded in XML. */
function markup(text: string): string {
  return xml(xml(text));
}
