import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { parseApart, warmUpParsers } from "../../processor/parsing/parse-apart.ts";
import { parseWith, type ParserName } from "../../processor/parsing/parsers.ts";
import { JobFailure } from "../../processor/pipeline/job.ts";
import { hostileTexts, inputOf, type Shape } from "./corpus/texts.ts";

const characters = 128 * 1024;
/** What a measurement may be off by. */
const noiseMs = 60;
const { signal } = new AbortController();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-hostile-texts-"));
  await warmUpParsers();
  return () => rm(folder, { recursive: true });
});

const names: readonly ParserName[] = [
  "manifest",
  "segmentList",
  "defaultAudio",
  "subtitlePlaylist",
  "subtitleFiles",
  "joinedSubtitle",
  "description",
];
const shapes = names.flatMap((name) =>
  Object.entries(hostileTexts[name]).map(([why, shape]) => [name, why, shape] as const),
);

/** Milliseconds of processor time that a parser takes for a text, whatever it makes of it. */
function costOf(name: ParserName, text: string): number {
  const input = inputOf(name, text, folder);
  const before = process.threadCpuUsage();
  try {
    parseWith(name, input);
  } catch (error) {
    if (!(error instanceof JobFailure || error instanceof RangeError)) throw error;
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

test.each(shapes)("%s: %s take time in proportion to their length", (name, _, shape) => {
  costOf(name, shape(1000));
  const half = costOf(name, shape(characters / 2));
  expect(costOf(name, shape(characters))).toBeLessThan(3 * half + noiseMs);
});

const mib = 1024 * 1024;
const largest: readonly (readonly [ParserName, Shape, number])[] = [
  ["manifest", hostileTexts.manifest["unclosed periods"] ?? String, 16 * mib],
  ["segmentList", hostileTexts.segmentList["an endless title"] ?? String, 16 * mib],
  ["defaultAudio", hostileTexts.defaultAudio["many renditions and as many variants"] ?? String, 16 * mib],
  ["subtitlePlaylist", hostileTexts.subtitlePlaylist["keys without encryption"] ?? String, 5 * mib],
  ["subtitleFiles", hostileTexts.subtitleFiles["cues"] ?? String, 5 * mib],
  ["joinedSubtitle", hostileTexts.joinedSubtitle["repeated cues"] ?? String, 5 * mib],
  ["description", hostileTexts.description["fragments"] ?? String, 16 * mib],
];

test.each(largest)(
  "a long text for %s leaves the node's own thread to its other jobs",
  async (name, shape, length) => {
    const input = inputOf(name, shape(length), folder);
    const before = process.threadCpuUsage();
    const whole = process.cpuUsage();
    await parseApart(name, input, signal).catch((error: unknown) => expect(error).toBeInstanceOf(JobFailure));
    const own = process.threadCpuUsage(before);
    const all = process.cpuUsage(whole);
    // Passing a text on takes a little; reading it takes many times as long.
    expect(own.user + own.system).toBeLessThan((all.user + all.system) / 3);
  },
);
