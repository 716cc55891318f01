import type { EncodingOptions } from "../../contracts/encoding-options.ts";
import { boxContent } from "../containers/mp4/box-content.ts";
import { expectedDuration, type DurationRange } from "../verify/expected-duration.ts";
import type { ProbedMedia } from "../mux/media.ts";
import { takeBox } from "../containers/mp4/mp4-boxes.ts";
import { isEncoded, planOutput, type OutputPlan } from "../mux/plan-output.ts";
import { isFollowed } from "../containers/mp4/read-index.ts";
import { readHead } from "../containers/read-head.ts";
import { walkThrough, type ByteWalk } from "../containers/walk-bytes.ts";
import { indexMaxBytes, readFragmentedTracks, type FragmentedTrack } from "./fragmented-tracks.ts";
import { reserveHead } from "./reserve-head.ts";

/** An unfragmented mp4 that can be made from fragmented ones while they arrive. */
export interface RemuxPlan {
  readonly plan: OutputPlan;
  /** What the inputs contain, judging by their beginnings. */
  readonly probed: readonly ProbedMedia[];
  /** The tracks of each input. */
  readonly tracks: readonly (readonly FragmentedTrack[])[];
  /** How long it has to play. */
  readonly duration: DurationRange;
  /** Bytes to reserve before the media, for the index. */
  readonly headBytes: number;
  /** More samples do not fit into the index. */
  readonly samplesMax: number;
  /** The inputs' own metadata, such as the title. */
  readonly userData: Buffer | null;
}

/** With a picture in it, there would be no room for the samples. */
const userDataMaxBytes = 32 * 1024;

/**
 * How many leading bytes of a stream tell whether it is a fragmented mp4. More than `head` has means that at least this
 * many are needed.
 */
export function indexBytes(head: Buffer): number | null {
  const led = walkThrough(walkToIndexEnd(), head);
  const bytes = "finding" in led ? led.finding : led.wantedBytes;
  return bytes !== null && bytes <= indexMaxBytes ? bytes : null;
}

/** Where the index ends; null if the media comes first. */
function* walkToIndexEnd(): ByteWalk<number | null> {
  for (let end = 0; ;) {
    const box = yield* takeBox();
    if (box === null || box === "end" || box.type === "mdat" || box.type === "moof") return null;
    end += box.bytes;
    if (box.type === "moov") return end;
    yield box.headerBytes - box.bytes;
  }
}

/**
 * Plans to combine the streams with these beginnings into one mp4 without a program: they are fragmented, nothing has
 * to be re-encoded or left out, and their samples can be told from noise as they pass. Null if not. Throws what
 * `planOutput` throws.
 */
export async function planRemux(
  heads: readonly Buffer[],
  options: EncodingOptions,
  sourceSeconds: number | null,
): Promise<RemuxPlan | null> {
  const inputs = await Promise.all(heads.map(readInput));
  const known = inputs.filter((input) => input !== null);
  if (known.length < inputs.length) return null;
  const probed = known.map((input) => input.probed);
  const plan = planOutput(probed, options);
  const isWhole = probed.every(({ video, audio }, input) => {
    const isTaken = (chosen: { input: number } | null) => Number(chosen?.input === input);
    return video.length === isTaken(plan.video) && audio.length === isTaken(plan.audio);
  });
  if (!isWhole || isEncoded(plan) || (plan.container !== "mp4" && plan.container !== "m4a")) return null;
  const statesEnds = probed.every(({ durationSeconds }) => durationSeconds !== null);
  const duration = expectedDuration(probed, plan, sourceSeconds, statesEnds);
  const tracks = known.map((input) => input.tracks);
  const userData = known.map((input) => input.userData).find((data) => data !== null) ?? null;
  const described = [...tracks.flat().map(({ trak }) => trak), userData ?? Buffer.alloc(0)];
  const describedBytes = described.reduce((bytes, { length }) => bytes + length, 0);
  const reserved = duration.most === null ? null : reserveHead(plan, duration.most, describedBytes);
  if (reserved === null) return null;
  return {
    plan,
    probed,
    tracks,
    duration,
    ...reserved,
    userData,
  };
}

interface Input {
  readonly probed: ProbedMedia;
  readonly tracks: readonly FragmentedTrack[];
  readonly userData: Buffer | null;
}

async function readInput(head: Buffer): Promise<Input | null> {
  const moov = boxContent(head, "moov");
  const tracks = moov && readFragmentedTracks(moov);
  if (moov === null || tracks === null) return null;
  const probed = await readHead(head, "mp4");
  if (probed === null || !probed.audio.every(isFollowed)) return null;
  if (probed.video.length + probed.audio.length !== tracks.length) return null;
  const userData = boxContent(moov, "udta");
  if (userData !== null && userData.length > userDataMaxBytes) return null;
  return { probed: lastingAsLong(probed), tracks, userData };
}

/** An index written before the media may say 0 for what was not known yet. */
function lastingAsLong(probed: ProbedMedia): ProbedMedia {
  const known = <Lasting extends { readonly durationSeconds: number | null }>(lasting: Lasting): Lasting => ({
    ...lasting,
    durationSeconds: lasting.durationSeconds || null,
  });
  return { ...known(probed), video: probed.video.map(known), audio: probed.audio.map(known) };
}
