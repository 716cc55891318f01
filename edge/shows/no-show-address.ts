import { namesMedia } from "../../contracts/media-address.ts";

/** Sites of single videos, which no feed reader would be pointed at. Their subdomains count. */
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

/** True when a URL is plainly no podcast show, so that nobody need look: a media file's, or one of a large video site. */
export function isNoShowAddress(text: string): boolean {
  if (namesMedia(text)) return true;
  const { hostname } = new URL(text);
  const labels = hostname.replace(/\.$/, "").split(".");
  return labels.some((_, index) => videoSites.has(labels.slice(index).join(".")));
}
