import { z } from "zod";
import { JobFailure } from "../pipeline/job.ts";
import { demuxers, type FileKind, type ProbedMedia, type Workshop } from "../mux/media.ts";
import { runFfprobe } from "../mux/run-ffprobe.ts";

/** For all streams together: about a second of a film. */
const packetsOfSample = 90;
/** Below this a sample says nothing: a cut inside a group of pictures loses a few of them. */
const tellingPackets = 10;

/** How many packets of a stream were read, and how many frames they yielded. */
interface DecodedStream {
  readonly kind: "video" | "audio";
  readonly packets: number;
  readonly frames: number;
}

/** Short reads, run concurrently. */
const readsAtOnce = 3;

/**
 * Decodes a moment at the beginning, in the middle and near the end of a film, or of audio alone one in each tenth:
 * about a second in total, however long the file is. Rejects with JobFailure `invalid_media` if a stream does not
 * decode.
 */
export async function decodeSamples(path: string, probed: ProbedMedia, workshop: Workshop): Promise<void> {
  const moments = [null, ...laterMoments(probed)];
  for (let first = 0; first < moments.length; first += readsAtOnce) {
    const together = moments.slice(first, first + readsAtOnce);
    const samples = await Promise.all(together.map((from) => sample(path, probed, from, workshop)));
    for (const [index, streams] of samples.entries()) {
      const problem = decodingProblem(streams, together[index] === null ? 1 : tellingPackets);
      if (problem !== null) throw new JobFailure("invalid_media", problem);
    }
  }
}

/** In these, a read may start far from a picture that can be decoded on its own. */
const unindexedKinds: ReadonlySet<FileKind> = new Set(["mpegts", "mpeg", "flv", "asf", "ogg"]);

const videoShares = [0.5, 0.9];
const audioShares = Array.from({ length: 9 }, (_, tenth) => (tenth + 1) / 10);

function laterMoments({ kind, startSeconds, durationSeconds, video }: ProbedMedia): number[] {
  if (durationSeconds === null || (video.length > 0 && unindexedKinds.has(kind))) return [];
  const shares = video.length > 0 ? videoShares : audioShares;
  return shares.map((share) => (startSeconds ?? 0) + share * durationSeconds);
}

/** What is wrong with the streams of a sample, considering those with at least this many packets; or null. */
export function decodingProblem(streams: readonly DecodedStream[], leastPackets: number): string | null {
  for (const { kind, packets, frames } of streams) {
    if (packets < leastPackets) continue;
    // Two fields may make one frame.
    const fewest = packets < tellingPackets ? 1 : packets / 3;
    if (frames < fewest) return `the ${kind} does not decode`;
  }
  return null;
}

/** A file that cannot be read from some moment on, or that ends there, yields no streams. */
async function sample(
  path: string,
  { kind, video, audio }: ProbedMedia,
  fromSeconds: number | null,
  workshop: Workshop,
): Promise<DecodedStream[]> {
  const args = [
    ["-f", demuxers[kind]],
    ["-count_packets", "-count_frames", "-read_intervals", `${fromSeconds ?? ""}%+#${packetsOfSample}`],
    ["-show_entries", "stream=index,nb_read_packets,nb_read_frames"],
  ].flat();
  const { outcome, exitCode, stdout, stderr } = await runFfprobe(path, args, workshop);
  if (outcome === "exited" && exitCode === 0) {
    const counts = new Map(countsSchema.parse(JSON.parse(stdout)).streams.map((each) => [each.index, each]));
    const of = (streamKind: DecodedStream["kind"], index: number): DecodedStream => ({
      kind: streamKind,
      packets: counts.get(index)?.nb_read_packets ?? 0,
      frames: counts.get(index)?.nb_read_frames ?? 0,
    });
    return [...video.map(({ index }) => of("video", index)), ...audio.map(({ index }) => of("audio", index))];
  }
  if (fromSeconds !== null) return [];
  throw new JobFailure("invalid_media", null, { cause: new Error(stderr) });
}

/** The probe leaves out a count of 0. */
const count = z.coerce.number().int().nonnegative().default(0);
const countsSchema = z.object({
  streams: z.array(z.object({ index: z.int(), nb_read_packets: count, nb_read_frames: count })),
});
