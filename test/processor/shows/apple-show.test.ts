import { expect, test } from "vitest";
import { appleShow } from "../../../processor/shows/apple-show.ts";

test.each([
  ["https://podcasts.apple.com/us/podcast/a-show/id123456", { id: "123456", country: "us" }],
  ["https://podcasts.apple.com/podcast/id1/", { id: "1", country: null }],
  ["https://itunes.apple.com/DE/podcast/x/id9?mt=2", { id: "9", country: "DE" }],
  ["https://podcasts.apple.com/us/podcast/a-show/id123456?i=1000", null],
  ["https://podcasts.apple.com/us/browse", null],
  ["https://example.com/us/podcast/id123", null],
  ["https://example.com/id1.rss", null],
])("%s", (url, show) => {
  expect(appleShow(url)).toEqual(show);
});
