import { expect, it } from "vitest";
import { isNoShowAddress } from "../../../edge/shows/no-show-address.ts";

it.each([
  "https://media.example/a.mp4",
  "https://media.example/a.MP3?download=1",
  "https://media.example/live/master.m3u8#t=1",
  "https://youtube.com/watch?v=1",
  "https://www.youtube.com/@someone",
  "https://m.youtube.com./watch?v=1",
  "https://youtu.be/1",
  "https://vimeo.com/1",
])("%s cannot be a show", (url) => {
  expect(isNoShowAddress(url)).toBe(true);
});

it.each([
  "https://podcasts.example/weekly",
  "https://podcasts.example/weekly.rss",
  "https://podcasts.example/feed.xml",
  "https://podcasts.example/mp3",
  "https://podcasts.example/feed?file=a.mp3",
  "https://podcasts.apple.com/us/podcast/weekly/id123",
  "https://notyoutube.com/feed",
  "https://youtube.com.example/feed",
  "https://10.0.0.1/feed",
])("%s may be a show", (url) => {
  expect(isNoShowAddress(url)).toBe(false);
});
