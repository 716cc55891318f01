import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  audioBitrates,
  audioCodecs,
  formats,
  impossibleCombination,
  videoCodecs,
  type EncodingOptions,
} from "../../../contracts/encoding-options.ts";
import { durationProblem, expectedDuration } from "../../../processor/verify/expected-duration.ts";
import { ffmpegArguments, hasIndex } from "../../../processor/mux/ffmpeg-arguments.ts";
import { demuxers, type ProbedMedia, type Workshop } from "../../../processor/mux/media.ts";
import { playsFromStart, walkBoxes } from "../../../processor/containers/mp4/mp4-boxes.ts";
import { planOutput, type OutputPlan } from "../../../processor/mux/plan-output.ts";
import { playedSeconds } from "../../../processor/verify/played-seconds.ts";
import { probeMedia } from "../../../processor/mux/probe-media.ts";
import { kindOfContainer } from "../../../processor/mux/passes-through.ts";
import { streamProblem } from "../../../processor/verify/verify-output.ts";
import { JobFailure } from "../../../processor/pipeline/job.ts";
import { options } from "./sample-media.ts";

const sourceSeconds = 2;
const picture = `-f lavfi -i testsrc2=size=66x38:rate=10:duration=${sourceSeconds}`;
const sound = `-f lavfi -i sine=frequency=440:sample_rate=48000:duration=${sourceSeconds}`;
const surround = `-f lavfi -i aevalsrc=0.1*sin(t)|0|0|0|0|0:c=5.1:d=${sourceSeconds}`;
const h264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p";
const h265 = "-c:v libx265 -preset ultrafast -x265-params log-level=none -pix_fmt yuv420p";
const vpx = "-deadline realtime -cpu-used 8 -b:v 50k -pix_fmt yuv420p";

/** Sources of every codec that can be copied, and one of none of them, by file name: how each is made. */
const sources = {
  "h264-aac.mp4": `${picture} ${sound} ${h264} -c:a aac`,
  "h264.mp4": `${picture} ${h264}`,
  "h265-ac3.mkv": `${picture} ${surround} ${h265} -c:a ac3`,
  "vp8-vorbis.webm": `${picture} ${sound} -c:v libvpx ${vpx} -c:a libvorbis -ac 2`,
  "vp9-opus.webm": `${picture} ${sound} -c:v libvpx-vp9 ${vpx} -c:a libopus`,
  "av1-flac.mkv": `${picture} ${sound} -c:v libaom-av1 -cpu-used 8 -usage realtime -pix_fmt yuv420p -c:a flac`,
  "odd-other.mkv": `-f lavfi -i testsrc2=size=67x39:rate=10:duration=${sourceSeconds} ${sound} -c:v ffv1 -pix_fmt yuv444p -c:a wavpack`,
  "cover.mp3": `${sound} -f lavfi -i color=red:size=16x16:rate=1:duration=1 -map 0 -map 1 -c:a libmp3lame -c:v png -disposition:v attached_pic -frames:v 1`,
  "sound.m4a": `${sound} -c:a aac`,
  "sound.opus": `${sound} -c:a libopus`,
  "sound.ogg": `${sound} -c:a libvorbis -ac 2`,
  "sound.flac": `${sound} -c:a flac`,
  "sound.wav": `${sound} -c:a pcm_s16le`,
} as const;
type SourceName = keyof typeof sources;

let folder: string;
let workshop: Workshop;

const qualities = [null, 0, 23, 51];

/** Every request that passes validation; bitrates and qualities alternate. */
function allRequests(): EncodingOptions[] {
  const codecs = [null, ...formats].flatMap((format) =>
    [null, ...videoCodecs].flatMap((video_codec) =>
      [null, ...audioCodecs].flatMap((audio_codec) =>
        [false, true].map((audio_only) => ({ format, video_codec, audio_codec, audio_only })),
      ),
    ),
  );
  return codecs
    .map((given, index) =>
      options({
        ...given,
        audio_bitrate: audioBitrates[index % audioBitrates.length] ?? null,
        video_quality: qualities[index % qualities.length] ?? null,
      }),
    )
    .filter((given) => impossibleCombination(given) === null);
}

/** The plans of all requests that this source supports; those that differ only in numbers once. */
function allPlans(probed: ProbedMedia): OutputPlan[] {
  const plans = new Map<string, OutputPlan>();
  for (const given of allRequests()) {
    const plan = planOrNull(probed, given);
    if (plan !== null) plans.set(shapeOf(plan), plan);
  }
  return [...plans.values()];
}

function planOrNull(probed: ProbedMedia, given: EncodingOptions): OutputPlan | null {
  try {
    return planOutput([probed], given);
  } catch (error) {
    if (error instanceof JobFailure && error.code === "format_not_available") return null;
    throw error;
  }
}

/** The container, and each stream's codec or that it is copied. */
function shapeOf({ container, video, audio }: OutputPlan): string {
  const shape = (stream: OutputPlan["video"] | OutputPlan["audio"]) =>
    stream === null ? "none" : stream.handling === "copy" ? "copy" : stream.codec;
  return `${container} ${shape(video)} ${shape(audio)}`;
}

/** Makes all of the plans' files in one run of ffmpeg, with their outputs one after another. */
async function makeAll(path: string, probed: ProbedMedia, plans: readonly OutputPlan[]): Promise<string[]> {
  const input = { path, kind: probed.kind, delaySeconds: 0 };
  const paths = plans.map((plan, index) => join(folder, `${index}.${plan.container}`));
  const commands = plans.map((plan, index) => ffmpegArguments([input], plan, paths[index] ?? ""));
  const outputsFrom = (args: readonly string[]) => args.lastIndexOf("-i") + 2;
  const [first = []] = commands;
  const outputs = commands.flatMap((args) => args.slice(outputsFrom(args)));
  await execa("ffmpeg", [...first.slice(0, outputsFrom(first)), ...outputs], { cwd: folder });
  return paths;
}

/** Decodes every frame of all the files in one run, which fails at the first error. */
async function decodeAll(paths: readonly string[], plans: readonly OutputPlan[]): Promise<void> {
  const inputs = paths.flatMap((path, index) => {
    const container = plans[index]?.container;
    return container === undefined ? [] : ["-f", demuxers[kindOfContainer(container)], "-i", path];
  });
  const maps = paths.flatMap((_, index) => ["-map", String(index)]);
  const { stderr } = await execa("ffmpeg", ["-v", "error", "-xerror", ...inputs, ...maps, "-f", "null", "-"]);
  expect(stderr).toBe("");
}

async function problemOf(path: string, plan: OutputPlan, source: ProbedMedia): Promise<string | null> {
  const probed = await probeMedia(path, workshop);
  const { kind } = probed;
  const seconds = probed.durationSeconds ?? (await playedSeconds({ path, kind }, workshop));
  if (hasIndex(plan.container) && !playsFromStart(await walkBoxes(path)))
    return "it does not play from the start";
  return streamProblem(probed, plan) ?? durationProblem(seconds, expectedDuration([source], plan, null));
}

/**
 * Tests for each source that the files of the `chosen` plans are made, complete and as planned. `shapeOf` tells plans
 * of one source apart.
 */
export function testOutputs(
  chosen: (plans: readonly OutputPlan[], shape: (plan: OutputPlan) => string) => readonly OutputPlan[],
): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "ferry-test-matrix-"));
    workshop = { ffmpeg: "ffmpeg", ffprobe: "ffprobe", folder, signal: new AbortController().signal };
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test.for(Object.keys(sources).filter((name): name is SourceName => name in sources))(
    "the files that can be requested of %s are made, complete and as planned",
    { timeout: 240_000 },
    async (name) => {
      const path = join(folder, name);
      await execa("ffmpeg", ["-nostdin", "-v", "error", "-y", ...sources[name].split(" "), path]);
      const probed = await probeMedia(path, workshop);
      const plans = chosen(allPlans(probed), shapeOf);
      expect(plans).not.toEqual([]);
      const paths = await makeAll(path, probed, plans);
      const problems = await Promise.all(
        plans.map(async (plan, index) => [shapeOf(plan), await problemOf(paths[index] ?? "", plan, probed)]),
      );
      expect(problems.filter(([, problem]) => problem !== null)).toEqual([]);
      await decodeAll(paths, plans);
    },
  );
}
