/** Prefixes in scope and the prefix used here for each; undefined: the namespace is unknown. */
export type Namespaces = ReadonlyMap<string, string | undefined>;

/** Further ones are ignored, because each element that declares one copies all that are in scope. */
const namespacesMax = 100;

/** The prefix used here for each namespace, whatever the feed calls it; none for RSS's own. */
const knownPrefixes: ReadonlyMap<string, string> = new Map([
  ["http://www.w3.org/2005/atom", "atom"],
  ["http://purl.org/atom/ns#", "atom"],
  ["http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdf"],
  ["http://purl.org/rss/1.0", ""],
  ["http://my.netscape.com/rdf/simple/0.9", ""],
  ["http://purl.oclc.org/net/rss_2.0/enc#", "enc"],
  ["http://search.yahoo.com/mrss", "media"],
  ["http://www.itunes.com/dtds/podcast-1.0.dtd", "itunes"],
  ["https://podcastindex.org/namespace/1.0", "podcast"],
  ["https://github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md", "podcast"],
]);

/** What is in scope inside an element with these attributes. */
export function namespacesOf(attributes: Readonly<Record<string, string>>, around: Namespaces): Namespaces {
  const declarations = Object.entries(attributes).filter(([name]) => /^xmlns(:|$)/.test(name));
  if (declarations.length === 0) return around;
  const own = declarations.map(([name, uri]) => [name.slice("xmlns:".length), knownPrefix(uri)] as const);
  return new Map([...around, ...own].slice(0, namespacesMax));
}

function knownPrefix(uri: string): string | undefined {
  return knownPrefixes.get(uri.trim().toLowerCase().replace(/\/$/, ""));
}

/**
 * An element's name in lower case with its namespace's known prefix. A prefix that is undeclared, or stands for
 * something unknown, is kept as written: many feeds forget the declaration.
 */
export function canonicalName(name: string, namespaces: Namespaces): string {
  const colon = name.indexOf(":");
  const prefix = colon === -1 ? "" : name.slice(0, colon);
  const local = name.slice(colon + 1).toLowerCase();
  const written = namespaces.get(prefix) ?? prefix.toLowerCase();
  return written === "" ? local : `${written}:${local}`;
}
