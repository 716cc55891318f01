import { sourceUrlProblem, type AddressPolicy } from "../../contracts/address-rules.ts";
import { namesMedia } from "../../contracts/media-address.ts";
import type { FeedItem, MediaReference } from "./feed.ts";

export interface Episode {
  readonly url: string;
  readonly title: string | null;
}

/** Why an item is not an episode. */
export type LeftOut = "no_media" | "not_allowed";

/** The first of an item's media that can be downloaded and played. */
export function chooseEpisode({ title, media }: FeedItem, policy: AddressPolicy): Episode | LeftOut {
  const playable = media.filter(isPlayable);
  const chosen = playable.find(({ url }) => sourceUrlProblem(url, policy) === null);
  if (chosen !== undefined) return { url: chosen.url, title };
  return playable.length === 0 ? "no_media" : "not_allowed";
}

const otherTypes =
  /^(image|text|font|model)\/|^application\/(pdf|epub|zip|json|xml|msword|x-shockwave-flash)/i;

/** By its type, or by its extension: many servers give the wrong type for a file whose extension is right. */
function isPlayable({ url, type }: MediaReference): boolean {
  return type === null || !otherTypes.test(type.trim()) || namesMedia(url);
}
