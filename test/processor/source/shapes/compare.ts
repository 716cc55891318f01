import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { z } from "zod";
import { mediaSeconds } from "../../../../scripts/origin/make-media.ts";
import type { Downloader } from "../../../../processor/source/downloader.ts";

/** What a file turned out to be. */
export interface Outcome {
  /** Of its streams, pictures that are covers aside. */
  readonly kinds: readonly string[];
  readonly height: number;
  readonly seconds: number;
}

const probeSchema = z.object({
  streams: z.array(
    z.object({
      codec_type: z.string(),
      height: z.number().default(0),
      disposition: z.object({ attached_pic: z.number() }).default({ attached_pic: 0 }),
    }),
  ),
  format: z.object({ duration: z.coerce.number().default(0) }),
});

async function inspect(path: string): Promise<Outcome> {
  const entries = "stream=codec_type,height:stream_disposition=attached_pic:format=duration";
  const { stdout } = await execa("ffprobe", ["-v", "error", "-of", "json", "-show_entries", entries, path]);
  const { streams, format } = probeSchema.parse(JSON.parse(stdout));
  const played = streams.filter(
    ({ codec_type, disposition }) => /video|audio/.test(codec_type) && disposition.attached_pic === 0,
  );
  return {
    kinds: played.map(({ codec_type }) => codec_type).toSorted(),
    height: Math.max(0, ...played.map(({ height }) => height)),
    seconds: format.duration,
  };
}

export async function inspectBytes(bytes: Buffer, folder: string): Promise<Outcome> {
  const path = join(folder, "stored");
  await writeFile(path, bytes);
  return inspect(path);
}

/**
 * What yt-dlp makes of an address by itself, with ffmpeg and its own choice of formats; or why it fails. A file that is
 * cut short is a failure: all media here are of the same length.
 */
export async function downloadByItself(
  url: string,
  folder: string,
  downloader: Downloader,
): Promise<Outcome | { readonly complaints: string }> {
  const args = [
    "--ignore-config",
    "--no-cache-dir",
    "--no-playlist",
    "--quiet",
    "-o",
    "out.%(ext)s",
    "--",
    url,
  ];
  const { exitCode, stderr } = await downloader.run(args, {
    folder,
    signal: new AbortController().signal,
    deadlineMs: 60_000,
    stdoutMaxBytes: 1e6,
    fileMaxBytes: 1e9,
  });
  const [name, ...others] = (await readdir(folder)).filter((each) => each.startsWith("out."));
  if (exitCode !== 0 || name === undefined || others.length > 0) return { complaints: stderr };
  try {
    const outcome = await inspect(join(folder, name));
    return outcome.seconds > mediaSeconds - 0.5 ? outcome : { complaints: "the file is cut short" };
  } catch (error) {
    return { complaints: String(error) };
  }
}
