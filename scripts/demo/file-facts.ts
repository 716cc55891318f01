import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { execa } from "execa";
import { z } from "zod";

const probeSchema = z.object({
  format: z.object({ format_name: z.string(), duration: z.coerce.number() }),
  streams: z.array(z.object({ codec_type: z.string(), codec_name: z.string(), height: z.int().optional() })),
});

export interface FileFacts {
  readonly bytes: number;
  /** ffprobe's names for the container. */
  readonly containers: readonly string[];
  readonly durationSeconds: number;
  /** Codecs, a video's with its height. */
  readonly video: readonly string[];
  readonly audio: readonly string[];
  /** For an mp4: whether its index precedes its media, so that it plays while it loads. */
  readonly indexFirst: boolean;
}

/** Downloads a file through its presigned URL to `path`. */
export async function fetchFile(url: string, path: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(url, { signal });
  if (!response.ok || !response.body) throw new Error(`The presigned URL answered ${response.status}`);
  await pipeline(Readable.fromWeb(response.body), createWriteStream(path), { signal });
}

/** What a small media file is, according to ffprobe and its own bytes. */
export async function readFileFacts(path: string): Promise<FileFacts> {
  const wanted = "format=format_name,duration:stream=codec_type,codec_name,height";
  const { stdout } = await execa("ffprobe", ["-v", "error", "-of", "json", "-show_entries", wanted, path]);
  const { format, streams } = probeSchema.parse(JSON.parse(stdout));
  const bytes = await readFile(path);
  const ofKind = (kind: string) =>
    streams
      .filter((stream) => stream.codec_type === kind)
      .map(({ codec_name: codec, height }) => (height ? `${codec} ${height}p` : codec));
  return {
    bytes: bytes.length,
    containers: format.format_name.split(","),
    durationSeconds: format.duration,
    video: ofKind("video"),
    audio: ofKind("audio"),
    indexFirst: bytes.indexOf("moov") < bytes.indexOf("mdat"),
  };
}
