import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";

const clipSeconds = 10;
const videoBitsPerSecond = 8_000_000;
const audioBitsPerSecond = 320_000;

/** How many seconds of the media made here amount to this many bytes. */
export function secondsOf(megabytes: number): number {
  return Math.round((megabytes * 8e6) / (videoBitsPerSecond + audioBitsPerSecond));
}

/** Makes a clip of 1080p video with stereo sound at constant rates, which longer media repeats. */
export async function makeClip(path: string): Promise<void> {
  await ffmpeg([
    ["-f", "lavfi", "-i", `testsrc2=size=1920x1080:rate=25:duration=${clipSeconds},noise=alls=20:allf=t`],
    ["-f", "lavfi", "-i", `anoisesrc=sample_rate=48000:duration=${clipSeconds}:amplitude=0.3`],
    ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "50"],
    [
      "-b:v",
      `${videoBitsPerSecond}`,
      "-maxrate",
      `${videoBitsPerSecond}`,
      "-bufsize",
      `${videoBitsPerSecond / 4}`,
    ],
    ["-x264-params", "nal-hrd=cbr", "-c:a", "aac", "-b:a", `${audioBitsPerSecond}`, "-ac", "2", path],
  ]);
}

/** Makes a DASH presentation with separate video and audio; returns the name of its manifest in `folder`. */
export async function makeDash(clip: string, folder: string, megabytes: number): Promise<string> {
  await mkdir(folder, { recursive: true });
  await ffmpeg([
    ["-stream_loop", "-1", "-i", clip, "-t", `${secondsOf(megabytes)}`, "-c", "copy"],
    ["-f", "dash", "-seg_duration", "4", "-adaptation_sets", "id=0,streams=v id=1,streams=a"],
    [join(folder, "manifest.mpd")],
  ]);
  return "manifest.mpd";
}

/** Makes an mp4 with its index at the front. */
export async function makeFile(clip: string, path: string, megabytes: number): Promise<void> {
  await ffmpeg([
    ["-stream_loop", "-1", "-i", clip, "-t", `${secondsOf(megabytes)}`, "-c", "copy"],
    ["-movflags", "+faststart", path],
  ]);
}

/** Makes an mp3 of 65 s at 128 kbit/s: 1.04 MB. */
export async function makeEpisode(path: string): Promise<void> {
  await ffmpeg([["-f", "lavfi", "-i", "sine=frequency=440:duration=65", "-b:a", "128k", path]]);
}

async function ffmpeg(args: readonly string[][]): Promise<void> {
  await execa("ffmpeg", ["-nostdin", "-v", "error", "-y", ...args.flat()]);
}

/** Removes a file or folder, if it exists. */
export async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}
