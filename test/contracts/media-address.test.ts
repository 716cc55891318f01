import { describe, expect, it } from "vitest";
import { namesMedia, namesMediaFile } from "../../contracts/media-address.ts";

describe("a URL", () => {
  it.each(["a.mp4", "a.MP3", "x/y.b.opus", "a.aiff", "a.webm?token=1#t=2"])(
    "that ends in %s names a media file",
    (ending) => {
      expect([namesMediaFile, namesMedia].map((names) => names(`https://a.example/${ending}`))).toEqual([
        true,
        true,
      ]);
    },
  );

  it.each(["master.m3u8", "a/manifest.mpd"])("that ends in %s names media, but not a file", (ending) => {
    expect([namesMediaFile, namesMedia].map((names) => names(`https://a.example/${ending}`))).toEqual([
      false,
      true,
    ]);
  });

  it.each(["", "feed.xml", "mp4", "a.mp4/feed", "watch?v=a.mp4", "#a.mp3"])(
    "that ends in %s names none",
    (ending) => {
      expect(namesMedia(`https://a.example/${ending}`)).toBe(false);
    },
  );
});
