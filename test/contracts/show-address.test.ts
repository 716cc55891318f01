import { expect, test } from "vitest";
import { isNamedLikeFeed, isShowAddress } from "../../contracts/show-address.ts";

test.each([
  "https://podcasts.apple.com/us/podcast/some-show/id1234567890",
  "https://podcasts.apple.com/podcast/id1234567890/",
  "https://podcasts.apple.com/us/podcast/some-show/id1234567890?mt=2",
  "https://itunes.apple.com/de/podcast/some-show/id1234567890",
])("%s is declared to be a show", (url) => {
  expect(isShowAddress(url)).toBe(true);
});

test.each([
  "https://podcasts.apple.com/us/podcast/an-episode/id1234567890?i=1000654321",
  "https://podcasts.apple.com/us/browse",
  "https://apple.com/us/podcast/some-show/id1234567890",
  "https://media.example/weekly.rss",
  "https://media.example/weekly.rss/episode-1.mp3",
  "https://media.example/episode.mp3?from=weekly.rss",
  "https://media.example/talk",
  "no url",
  "",
])("%s is not", (url) => {
  expect(isShowAddress(url)).toBe(false);
});

test.each([
  "https://media.example/weekly.rss",
  "https://media.example/WEEKLY.RSS?page=2",
  "https://media.example/show/feed.xml",
  "https://media.example/show.atom",
  "https://media.example/show/rss",
  "https://media.example/show/rss/",
  "https://media.example/show/feed?format=mp3",
  "https://media.example/atom",
  "https://media.example/a/podcast",
])("%s is named like a feed", (url) => {
  expect(isNamedLikeFeed(url)).toBe(true);
});

test.each([
  "https://media.example/weekly.rss/episode-1.mp3",
  "https://media.example/episode.mp3?from=weekly.rss",
  "https://media.example/feeds",
  "https://media.example/newsfeed",
  "https://rss.media.example/weekly",
  "https://media.example/rss/weekly",
  "https://podcast.example/",
  "no url",
  "",
])("%s is not named like a feed", (url) => {
  expect(isNamedLikeFeed(url)).toBe(false);
});
