import { randomUUID } from "node:crypto";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { demuxers } from "../mux/media.ts";
import { JobFailure } from "../pipeline/job.ts";
import type { ListedFile } from "../source/source.ts";
import { fetchIntoFile } from "./fetch-listed.ts";
import type { PictureOfFile } from "./plan-sidecars.ts";
import { localInput, makeFile } from "./run-ffmpeg.ts";
import type { SidecarContext } from "./sidecar-context.ts";

const pictureMaxBytes = 20 * 1024 * 1024;

/**
 * Makes the thumbnail at `outputPath`, a JPEG, from a picture that the source lists. Rejects with JobFailure if that
 * cannot be fetched or read, or is too large.
 */
export async function makeThumbnailOfListed(
  listed: ListedFile,
  outputPath: string,
  context: SidecarContext,
): Promise<{ readonly bytes: number }> {
  const path = join(context.folder, `picture-${randomUUID()}`);
  await fetchIntoFile(listed, path, pictureMaxBytes, context);
  const demuxer = sniffPicture(await readBeginning(path));
  if (demuxer === null) throw new JobFailure("invalid_media", "the picture is of an unknown kind");
  return makeFile([...localInput(demuxer, path), ...asJpeg], outputPath, context);
}

/** Like `makeThumbnailOfListed`, from the complete downloaded files. */
export async function makeThumbnailOfFile(
  picture: PictureOfFile,
  paths: readonly string[],
  outputPath: string,
  context: SidecarContext,
): Promise<{ readonly bytes: number }> {
  const { input, kind } = "cover" in picture ? picture.cover : picture.frame;
  const path = paths[input];
  if (path === undefined) throw new RangeError(`There is no file ${input}`);
  const file = localInput(demuxers[kind], path);
  const source =
    "cover" in picture
      ? // Of all pictures those that do not move.
        [...file, "-map", "0:v", "-map", "-0:V"]
      : ["-ss", picture.atSeconds.toFixed(3), ...file, "-map", `0:${picture.frame.index}`];
  return makeFile([...source, ...asJpeg], outputPath, context);
}

/** Converted to square pixels, as JPEG requires. */
const asJpeg = [
  ["-vf", "scale=max(1\\,trunc(iw*if(sar\\,sar\\,1))):ih,setsar=1", "-frames:v", "1"],
  ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-q:v", "3", "-f", "image2", "-update", "1"],
].flat();

const sniffedBytes = 16;

async function readBeginning(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The demuxer for a picture, by its first bytes; null if it is not one. */
export function sniffPicture(picture: Buffer): string | null {
  const text = (start: number, end: number) => picture.toString("latin1", start, end);
  if (text(0, 3) === "\xff\xd8\xff") return "jpeg_pipe";
  if (text(0, 8) === "\x89PNG\r\n\x1a\n") return "png_pipe";
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return "webp_pipe";
  if (/^GIF8[79]a$/.test(text(0, 6))) return "gif";
  return text(0, 2) === "BM" ? "bmp_pipe" : null;
}
