import { expect, test } from "vitest";
import { isListedShow } from "../../../processor/shows/listed-hosts.ts";

test.each([
  "https://www.acast.com/todayinfocus",
  "https://play.acast.com/s/ft-banking-weekly/",
  "https://www.spreaker.com/show/success-with-music",
  "https://podbay.fm/p/behind-the-bastards?x=1",
  "https://www.podchaser.com/podcasts/the-training-zone-1699446",
  "https://the-re-bind-io-podcast.simplecast.com/episodes",
  "https://tunein.com/podcasts/World-News/BBC-News-p14/",
  "https://tunein.com/embed/player/p191660",
])("%s is a show's page", (url) => {
  expect(isListedShow(url)).toBe(true);
});

test.each([
  "https://www.acast.com/",
  "https://play.acast.com/s/show/episode",
  "https://podbay.fm/p/behind-the-bastards/e/1647338400",
  "https://www.podchaser.com/podcasts/show-1699446/episodes/one-2",
  "https://api.simplecast.com/",
  "https://feeds.simplecast.com/",
  "https://a.simplecast.com/episodes/one",
  "https://tunein.com/podcasts/World-News/BBC-News-p14/?topicId=236404354",
  "https://tunein.com/radio/Jazz24-885-s34682/",
  "https://www.iheart.com/podcast/1119-it-could-happen-here-30717896/",
  "https://example.com/acast.com/show",
])("%s is not", (url) => {
  expect(isListedShow(url)).toBe(false);
});
