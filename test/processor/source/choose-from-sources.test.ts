import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { qualityPresets, type EncodingOptions } from "../../../contracts/encoding-options.ts";
import { chooseFormats } from "../../../processor/source/choose-formats.ts";
import { resolveSource } from "../../../processor/source/resolve-source.ts";
import type { Source } from "../../../processor/source/source.ts";
import { mediaFiles } from "../../../scripts/origin/make-media.ts";
import type { Origin } from "../../../scripts/origin/serve-origin.ts";
import { startTestOrigin } from "../../origin/test-origin.ts";
import { options } from "../mux/sample-media.ts";
import { openSourceWorkshop, type SourceWorkshop } from "./test-context.ts";

let origin: Origin;
let workshop: SourceWorkshop;
beforeAll(async () => {
  [origin, workshop] = await Promise.all([startTestOrigin(), openSourceWorkshop()]);
});
afterAll(() => Promise.all([origin.close(), workshop.close()]));

describe.each([
  ["HLS, audio with every video", mediaFiles.hls, true],
  ["DASH, separate audio", mediaFiles.dash, false],
])("of a presentation in several sizes as %s", (_, path, isTogether) => {
  let source: Source;
  beforeAll(async () => {
    source = await resolveSource(`${origin.url}/${path}`, await workshop.context());
  });
  const choose = (given: Partial<EncodingOptions>) => chooseFormats(source.formats, options(given));

  test("each preset takes the largest video within its limit", () => {
    const heights = qualityPresets.map((preset) => choose({ quality_preset: preset }).video?.height);
    expect(heights).toEqual([720, 720, 720, 360, 360]);
    expect(choose({}).video?.height).toBe(720);
  });

  test("the audio is included, and alone if only audio is requested", () => {
    const { video, audio } = choose({ quality_preset: "low" });
    expect(audio === video).toBe(isTogether);
    const alone = choose({ audio_only: true });
    expect(alone.video).toBeNull();
    expect(alone.audio?.audioCodec).not.toBeNull();
    expect(alone.audio?.videoCodec === null).toBe(!isTogether);
    expect(choose({ format: "mp3" }).video).toBeNull();
  });
});
