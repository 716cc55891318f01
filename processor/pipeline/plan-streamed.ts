import { open } from "node:fs/promises";
import { expectedDuration } from "../verify/expected-duration.ts";
import { hasIndex } from "../mux/ffmpeg-arguments.ts";
import { indexRoomBytes } from "../mux/ffmpeg-head.ts";
import { inputDelays } from "../mux/input-delays.ts";
import type { FileKind, ProbedMedia } from "../mux/media.ts";
import { readBeginning } from "../containers/mp4/mp4-boxes.ts";
import { passesThrough } from "../mux/passes-through.ts";
import { isEncoded, planOutput, type OutputPlan } from "../mux/plan-output.ts";
import { probeMedia } from "../mux/probe-media.ts";
import { planSidecars, type SidecarPlan } from "../sidecars/plan-sidecars.ts";
import { sniffContainer, sniffedBytes } from "../source/sniff-container.ts";
import { JobFailure } from "./job.ts";
import type { FoundSource } from "./find-source.ts";
import type { JobContext } from "./job-context.ts";
import type { SpilledFile } from "./spilled-file.ts";

/** The planned output of files that are still arriving, judging by their beginnings. */
export interface StreamedPlan {
  readonly plan: OutputPlan;
  readonly kinds: readonly FileKind[];
  /** How much later than the earliest input each one starts, in seconds. */
  readonly delays: readonly number[];
  /** The only input already is the planned file. */
  readonly isPassed: boolean;
  /** How long the file is going to play, as far as the beginnings tell. */
  readonly seconds: number | null;
  /** Bytes to reserve for the index of an mp4; null for other files. */
  readonly indexRoom: number | null;
  /** About how large the file is going to be; null if unknown. */
  readonly expectedBytes: number | null;
  readonly title: string | null;
  /** What may be stored next to the file. */
  readonly sidecarPlan: SidecarPlan;
}

/** Kinds that can be read from a pipe: nothing at their end is needed to read what comes before it. */
const readInOrder: ReadonlySet<FileKind> = new Set([
  "mp4",
  "mov",
  "matroska",
  "webm",
  "mp3",
  "aac",
  "ac3",
  "eac3",
  "ogg",
  "flac",
  "mpegts",
]);

/**
 * Plans the output from the first bytes of files; `sourceBytes` is their total size, NaN if unknown. Null if the
 * beginnings do not tell, or only complete files can be read: then everything is inspected again once it has arrived.
 */
export async function planStreamed(
  files: readonly SpilledFile[],
  { source }: FoundSource,
  sourceBytes: number,
  context: JobContext,
): Promise<StreamedPlan | null> {
  const beginnings = await Promise.all(files.map(whenBegun));
  if (beginnings.includes("unreadable")) return null;
  const probed = await Promise.all(files.map(({ path }) => probeHead(path, context)));
  const inputs = probed.filter((media) => media !== null);
  if (inputs.length < files.length || !inputs.every(({ kind }) => readInOrder.has(kind))) return null;
  const plan = planOutput(inputs, context.task.options);
  const isPassed = !beginnings.includes("fragmented") && passesThrough(inputs, plan, null);
  const { most } = expectedDuration(inputs, plan, source.durationSeconds);
  if (hasIndex(plan.container) && !isPassed && most === null) return null;
  return {
    plan,
    kinds: inputs.map(({ kind }) => kind),
    delays: inputDelays(inputs),
    isPassed,
    seconds: most,
    indexRoom: hasIndex(plan.container) ? indexRoomBytes(plan, most ?? 0) : null,
    expectedBytes: isEncoded(plan) || Number.isNaN(sourceBytes) ? null : sourceBytes,
    sidecarPlan: planSidecars(source.listed, inputs, context.task.options),
    title: inputs.find(({ title }) => title !== null)?.title ?? null,
  };
}

/** Bytes to wait for after the description of the streams, so that some of their content can be probed. */
const streamBytes = 1024 * 1024;

/** Waits for the description of the streams, which may be in a place that cannot be read in order. */
async function whenBegun(spilled: SpilledFile): Promise<"readable" | "fragmented" | "unreadable"> {
  await spilled.until(sniffedBytes);
  const file = await open(spilled.path);
  const readAt = async (offset: number, bytes: number) => {
    await spilled.until(offset + bytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, offset);
    return buffer.subarray(0, bytesRead);
  };
  try {
    const isMp4 = sniffContainer(await readAt(0, sniffedBytes)) === "mov";
    const beginning = isMp4 ? await readBeginning(readAt) : null;
    if (isMp4 && beginning === null) return "unreadable";
    await spilled.until((beginning?.indexEnd ?? 0) + streamBytes);
    return beginning?.isFragmented === true ? "fragmented" : "readable";
  } finally {
    await file.close();
  }
}

async function probeHead(path: string, context: JobContext): Promise<ProbedMedia | null> {
  try {
    return await probeMedia(path, context);
  } catch (error) {
    if (error instanceof JobFailure && error.code === "invalid_media") return null;
    throw error;
  }
}
