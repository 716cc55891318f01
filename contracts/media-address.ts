const file =
  /\.(?:3gp|aac|aif[cf]?|aiff|asf|avi|caf|flac|flv|m2ts|m4[abv]|mka|mkv|mov|mp3|mp4|mpe?g|mts|oga|ogg|ogv|opus|ts|vob|wav|weba|webm|wma|wmv)$/i;
const manifest = /\.(?:m3u8|mpd)$/i;

/** True when a URL's path ends like the name of a media file. */
export function namesMediaFile(url: string): boolean {
  return file.test(new URL(url).pathname);
}

/** True when a URL's path ends like the name of a media file, or of a list of its segments. */
export function namesMedia(url: string): boolean {
  return namesMediaFile(url) || manifest.test(new URL(url).pathname);
}
