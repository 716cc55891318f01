const file =
  /\.(?:3gp|aac|ac3|aif[cf]?|aiff|asf|avi|caf|eac3|flac|flv|m2ts|m4[abv]|mka|mkv|mov|mp3|mp4|mpe?g|mts|oga|ogg|ogv|opus|ts|vob|w64|wav|weba|webm|wma|wmv)$/i;
const manifest = /\.(?:m3u8|mpd)$/i;

/** True if a URL's path ends like the name of a media file. */
export function namesMediaFile(url: string): boolean {
  return file.test(new URL(url).pathname);
}

/** True if a URL's path ends like the name of a media file, or of a manifest. */
export function namesMedia(url: string): boolean {
  return namesMediaFile(url) || manifest.test(new URL(url).pathname);
}
