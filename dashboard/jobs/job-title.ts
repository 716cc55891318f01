/** The title to show for a job: its file's name, otherwise the end of its URL, otherwise the URL's host. */
export function jobTitle({ storage_key: key, url }: { storage_key: string | null; url: string }): string {
  if (key !== null) return lastPart(key) || key;
  if (!URL.canParse(url)) return url;
  const { pathname, host } = new URL(url);
  return decoded(lastPart(pathname.replace(/\/+$/, ""))) || host;
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** A malformed escape stays as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
}
