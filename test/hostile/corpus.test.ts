import { expect, test } from "vitest";
import { hostileAnswers } from "./corpus/answers.ts";
import { hostileFeeds } from "./corpus/feeds.ts";
import { hostileSources } from "./corpus/media.ts";
import { hostileFolders, hostileNames } from "./corpus/names.ts";
import { hostileRequests } from "./corpus/requests.ts";
import { hostileUrls } from "./corpus/urls.ts";

const noMedia = Buffer.alloc(0);
const samples = { mp4: noMedia, mp3: noMedia, pictureBomb: noMedia, withAttachment: noMedia };
const canaries = { url: "http://0.0.0.0:1", text: "/canary.txt", media: "/canary.mp4" };

/** Tried by `feeds.test.ts` and the rest of this folder, and by `test/edge/hostile/` for what clients send. */
const corpus = {
  urls: hostileUrls,
  names: hostileNames,
  folders: hostileFolders,
  requests: hostileRequests,
  answers: hostileAnswers,
  feeds: hostileFeeds(canaries),
  sources: hostileSources(canaries, samples),
};

test("the corpus has at least 150 inputs, each with its own reason", () => {
  expect(Object.values(corpus).flat().length).toBeGreaterThanOrEqual(150);
  for (const rows of Object.values(corpus)) {
    expect(new Set(rows.map(({ why }) => why)).size).toBe(rows.length);
  }
});
