import { createHash } from "node:crypto";
import { execa } from "execa";
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input, type InputTrack } from "mediabunny";
import { createFile, MP4BoxBuffer } from "mp4box";
import { z } from "zod";

/** One sample as a reader found it. */
export interface ReadSample {
  readonly kind: "video" | "audio";
  /** When it is shown, on the file's clock. */
  readonly seconds: number;
  readonly bytes: number;
  readonly isSync: boolean;
  readonly hash: string;
}

const md5 = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("hex");

const packetsSchema = z.object({
  packets: z.array(
    z.object({
      codec_type: z.enum(["video", "audio"]),
      pts_time: z.coerce.number(),
      size: z.coerce.number(),
      flags: z.string(),
      data_hash: z.string(),
    }),
  ),
});

/** The samples of files, as ffprobe reads them, in the order in which they are stored. */
export async function samplesByFfprobe(paths: readonly string[]): Promise<ReadSample[]> {
  const entries = "packet=codec_type,pts_time,size,flags,data_hash";
  const asked = ["-v", "error", "-show_data_hash", "md5", "-show_entries", entries, "-of", "json"];
  const all = await Promise.all(paths.map((path) => execa("ffprobe", [...asked, path])));
  return all
    .flatMap(({ stdout }) => packetsSchema.parse(JSON.parse(stdout)).packets)
    .map((packet) => ({
      kind: packet.codec_type,
      seconds: packet.pts_time,
      bytes: packet.size,
      isSync: packet.flags.startsWith("K"),
      hash: packet.data_hash.replace("MD5:", "").toLowerCase(),
    }));
}

/** The samples of an mp4, as mp4box.js reads them. */
export function samplesByMp4box(file: Buffer): ReadSample[] {
  const reader = createFile(true);
  const bytes = new Uint8Array(file).buffer;
  reader.appendBuffer(MP4BoxBuffer.fromArrayBuffer(bytes, 0), true);
  reader.flush();
  const { tracks, timescale: movieTicksPerSecond } = reader.getInfo();
  return tracks.flatMap(({ id, type, timescale, edits = [] }) => {
    if (type !== "video" && type !== "audio") return [];
    const wait = edits.filter((edit) => edit.media_time === -1);
    const waitSeconds = wait.reduce((sum, edit) => sum + edit.segment_duration / movieTicksPerSecond, 0);
    const startTick = edits.find((edit) => edit.media_time >= 0)?.media_time ?? 0;
    return reader.getTrackSamplesInfo(id).map((sample) => ({
      kind: type,
      seconds: waitSeconds + (sample.cts - startTick) / timescale,
      bytes: sample.size,
      isSync: sample.is_sync,
      hash: md5(file.subarray(sample.offset, sample.offset + sample.size)),
    }));
  });
}

/** The samples of a file, as mediabunny reads them. */
export async function samplesByMediabunny(file: Buffer): Promise<ReadSample[]> {
  const input = new Input({ source: new BufferSource(file), formats: ALL_FORMATS });
  try {
    const tracks = await input.getTracks();
    return (await Promise.all(tracks.map(samplesOf))).flat();
  } finally {
    input.dispose();
  }
}

async function samplesOf(track: InputTrack): Promise<ReadSample[]> {
  const samples: ReadSample[] = [];
  for await (const packet of new EncodedPacketSink(track).packets()) {
    samples.push({
      kind: track.isVideoTrack() ? "video" : "audio",
      seconds: packet.timestamp,
      bytes: packet.byteLength,
      isSync: packet.type === "key",
      hash: md5(packet.data),
    });
  }
  return samples;
}

/** The content of every decoded picture, and of all sound, in order. */
export async function decodedHashes(paths: readonly string[], kind: "v" | "a"): Promise<string[]> {
  const inputs = paths.flatMap((path) => ["-i", path]);
  const strict = ["-nostdin", "-v", "error", "-xerror", "-err_detect", "explode", ...inputs];
  const map = ["-map", `${paths.length > 1 && kind === "a" ? 1 : 0}:${kind}`];
  const { stdout } = await execa("ffmpeg", [...strict, ...map, "-f", "framemd5", "-"]);
  return stdout.split("\n").flatMap((line) => (line.startsWith("#") ? [] : [line.split(",").at(-1) ?? ""]));
}

/** A line per sample, in the order of their kinds and times, which are counted from the first picture. */
export function listed(samples: readonly ReadSample[]): string[] {
  const first = samples.filter(({ kind }) => kind === "video").map(({ seconds }) => seconds);
  const start = Math.min(...(first.length > 0 ? first : samples.map(({ seconds }) => seconds)));
  return samples
    .toSorted((one, other) => one.kind.localeCompare(other.kind) || one.seconds - other.seconds)
    .map(({ kind, seconds, bytes, isSync, hash }) =>
      [kind, (Math.round((seconds - start) * 1000) / 1000).toFixed(3), bytes, isSync, hash].join(" "),
    );
}
