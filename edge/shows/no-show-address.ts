import { namesMedia } from "../../contracts/media-address.ts";

/** Sites of individual videos, which nobody would give to a feed reader. Subdomains included. */
const videoSites = new Set([
  "bilibili.com",
  "dailymotion.com",
  "facebook.com",
  "fb.watch",
  "instagram.com",
  "kick.com",
  "nicovideo.jp",
  "odysee.com",
  "ok.ru",
  "reddit.com",
  "rumble.com",
  "streamable.com",
  "tiktok.com",
  "twitch.tv",
  "twitter.com",
  "vimeo.com",
  "vk.com",
  "x.com",
  "youku.com",
  "youtu.be",
  "youtube-nocookie.com",
  "youtube.com",
]);

/**
 * True if a URL is obviously not a podcast show, so that no node needs to check: that of a media file, or of a large
 * video site.
 */
export function isNoShowAddress(text: string): boolean {
  if (namesMedia(text)) return true;
  const { hostname } = new URL(text);
  const labels = hostname.replace(/\.$/, "").split(".");
  return labels.some((_, index) => videoSites.has(labels.slice(index).join(".")));
}
