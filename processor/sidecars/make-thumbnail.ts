import { randomUUID } from "node:crypto";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { demuxers } from "../mux/media.ts";
import { JobFailure } from "../pipeline/job.ts";
import { fetchListed } from "./fetch-listed.ts";
import type { PictureSource } from "./plan-sidecars.ts";
import { localInput, runFfmpeg } from "./run-ffmpeg.ts";
import type { SidecarContext } from "./sidecar-context.ts";

const pictureMaxBytes = 20 * 1024 * 1024;

/**
 * Makes the thumbnail at `outputPath`, a JPEG. Rejects with JobFailure where the picture cannot be had, read, or is too
 * large.
 */
export async function makeThumbnail(
  source: PictureSource,
  paths: readonly string[],
  outputPath: string,
  context: SidecarContext,
): Promise<void> {
  const input = await inputOf(source, paths, context);
  await runFfmpeg([...input, ...asJpeg, `file:${outputPath}`], context);
  // At a moment behind the last picture nothing is written.
  await stat(outputPath).catch((error: unknown) => {
    throw new JobFailure("invalid_media", "there is no picture", { cause: error });
  });
}

/** Pixels made square, as a JPEG has them. */
const asJpeg = [
  ["-vf", "scale=max(1\\,trunc(iw*if(sar\\,sar\\,1))):ih,setsar=1", "-frames:v", "1"],
  ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-q:v", "3", "-f", "image2", "-update", "1"],
].flat();

async function inputOf(
  source: PictureSource,
  paths: readonly string[],
  context: SidecarContext,
): Promise<string[]> {
  if ("listed" in source) {
    const picture = await fetchListed(source.listed, pictureMaxBytes, context);
    const demuxer = sniffPicture(picture);
    if (demuxer === null) throw new JobFailure("invalid_media", "the picture is of an unknown kind");
    const path = join(context.folder, `picture-${randomUUID()}`);
    await writeFile(path, picture);
    return localInput(demuxer, path);
  }
  const { input, kind } = "cover" in source ? source.cover : source.frame;
  const path = paths[input];
  if (path === undefined) throw new RangeError(`There is no file ${input}`);
  const file = localInput(demuxers[kind], path);
  // Of all pictures those that do not move.
  if ("cover" in source) return [...file, "-map", "0:v", "-map", "-0:V"];
  return ["-ss", source.atSeconds.toFixed(3), ...file, "-map", `0:${source.frame.index}`];
}

/** What reads a picture, by its first bytes; null for what is none. */
export function sniffPicture(picture: Buffer): string | null {
  const text = (start: number, end: number) => picture.toString("latin1", start, end);
  if (text(0, 3) === "\xff\xd8\xff") return "jpeg_pipe";
  if (text(0, 8) === "\x89PNG\r\n\x1a\n") return "png_pipe";
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return "webp_pipe";
  if (/^GIF8[79]a$/.test(text(0, 6))) return "gif";
  return text(0, 2) === "BM" ? "bmp_pipe" : null;
}
