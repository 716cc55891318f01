/**
 * The addresses of the audio that an HLS master playlist plays by default, one for each of its groups; none if the text
 * is not a master playlist.
 */
export function defaultAudioUrls(text: string, base: string): ReadonlySet<string> {
  const urls = new Set<string>();
  if (!/^\uFEFF?\s*#EXTM3U/.test(text)) return urls;
  for (const line of text.split(/\r?\n/)) {
    if (!line.startsWith(mediaTag)) continue;
    const attributes = attributesOf(line.slice(mediaTag.length));
    const uri = attributes.get("URI");
    const isDefaultAudio = attributes.get("TYPE") === "AUDIO" && attributes.get("DEFAULT") === "YES";
    const url = isDefaultAudio && uri !== undefined ? URL.parse(uri, base) : null;
    if (url !== null) urls.add(url.href);
    if (urls.size >= groupsMax) break;
  }
  return urls;
}

const mediaTag = "#EXT-X-MEDIA:";
/** Far more than any playlist has. */
const groupsMax = 1000;

/** A list such as `A=1,B="x,y"`, read in one pass. */
function attributesOf(list: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  let at = 0;
  while (at < list.length) {
    const equals = list.indexOf("=", at);
    if (equals === -1) break;
    const isQuoted = list[equals + 1] === '"';
    const start = equals + (isQuoted ? 2 : 1);
    const found = list.indexOf(isQuoted ? '"' : ",", start);
    const end = found === -1 ? list.length : found;
    attributes.set(list.slice(at, equals).trim(), list.slice(start, end).trim());
    at = end + (isQuoted ? 2 : 1);
  }
  return attributes;
}
