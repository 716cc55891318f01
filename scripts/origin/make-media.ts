import { randomUUID } from "node:crypto";
import { access, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { execa } from "execa";

/** The duration of everything made here. */
export const mediaSeconds = 6;
/** Heights of the pictures offered by the DASH and HLS presentations. */
export const mediaHeights = [180, 360, 720] as const;
/** Tags of `episode.mp3` and `episode.m4a`. */
export const episodeTitle = "Tides of the harbour";
/** `<title>` of `page.html`. */
export const pageTitle = "A page with a video";

/** What `makeMedia` creates in the folder, by path. */
export const mediaFiles = {
  mp4: "progressive.mp4",
  mp4IndexFirst: "index-first.mp4",
  mp4WithoutSound: "silent.mp4",
  dash: "dash/manifest.mpd",
  hls: "hls/master.m3u8",
  webm: "video.webm",
  mkv: "video.mkv",
  mp3: "episode.mp3",
  mp3WithCover: "episode-with-cover.mp3",
  m4a: "episode.m4a",
  page: "page.html",
} as const;

const page = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>${pageTitle}</title></head>
  <body><video controls><source src="${mediaFiles.mp4}" type="video/mp4"></video></body>
</html>
`;

/**
 * Makes the files of `mediaFiles` in `folder` with ffmpeg, unless they exist. Safe to call from several processes at
 * once: the folder appears complete or not at all.
 */
export async function makeMedia(folder: string): Promise<void> {
  if (await exists(join(folder, mediaFiles.page))) return;
  const making = `${folder}.${randomUUID()}`;
  await mkdir(join(making, "dash"), { recursive: true });
  await mkdir(join(making, "hls"));
  try {
    await run(making, progressive());
    await run(making, remuxes());
    await run(making, withCover());
    await run(making, dash());
    await run(making, hls());
    await run(making, webm());
    await writeFile(join(making, mediaFiles.page), page);
    await mkdir(dirname(folder), { recursive: true });
    await rename(making, folder);
  } catch (error) {
    const madeMeanwhile = await exists(join(folder, mediaFiles.page));
    if (!madeMeanwhile) throw error;
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

async function run(folder: string, args: readonly string[]): Promise<void> {
  await execa("ffmpeg", ["-nostdin", "-v", "error", "-y", ...args], { cwd: folder });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

const frameRate = 24;
const sound = ["-f", "lavfi", "-i", `sine=frequency=440:sample_rate=48000:duration=${mediaSeconds}`];
const picture = (height: number) => {
  const width = Math.round((height * 16) / 9 / 2) * 2;
  return ["-f", "lavfi", "-i", `testsrc2=size=${width}x${height}:rate=${frameRate}:duration=${mediaSeconds}`];
};
const h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", String(2 * frameRate)];
const aac = ["-c:a", "aac", "-b:a", "96k"];

function progressive(): string[] {
  return [...picture(360), ...sound, ...h264, ...aac, mediaFiles.mp4];
}

function remuxes(): string[] {
  const tags = ["-metadata", `title=${episodeTitle}`, "-metadata", "artist=Ferry"];
  return [
    ["-i", mediaFiles.mp4],
    ["-c", "copy", "-movflags", "+faststart", mediaFiles.mp4IndexFirst],
    ["-c", "copy", "-an", mediaFiles.mp4WithoutSound],
    ["-c", "copy", mediaFiles.mkv],
    ["-vn", "-c:a", "copy", ...tags, mediaFiles.m4a],
    ["-vn", "-c:a", "libmp3lame", "-b:a", "128k", ...tags, mediaFiles.mp3],
  ].flat();
}

function withCover(): string[] {
  return [
    ["-i", mediaFiles.mp3, "-f", "lavfi", "-i", "color=teal:size=300x300:rate=1:duration=1"],
    ["-map", "0:a", "-map", "1:v", "-c:a", "copy", "-c:v", "mjpeg", "-frames:v", "1"],
    ["-disposition:v", "attached_pic", "-id3v2_version", "3", mediaFiles.mp3WithCover],
  ].flat();
}

/** All heights at once, audio last: input i is height i. */
function ladder(soundCopies: number): string[] {
  return [
    ...mediaHeights.flatMap(picture),
    ...sound,
    ...mediaHeights.flatMap((_, index) => ["-map", `${index}:v`]),
    ...Array.from({ length: soundCopies }, () => ["-map", `${mediaHeights.length}:a`]).flat(),
    ...h264,
    ...mediaHeights.flatMap((height, index) => [`-b:v:${index}`, `${height * 2}k`]),
    ...aac,
  ];
}

function dash(): string[] {
  const sets = "id=0,streams=v id=1,streams=a";
  return [...ladder(1), "-f", "dash", "-seg_duration", "2", "-adaptation_sets", sets, mediaFiles.dash];
}

function hls(): string[] {
  const variants = mediaHeights.map((_, index) => `v:${index},a:${index}`).join(" ");
  return [
    ladder(mediaHeights.length),
    ["-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod", "-var_stream_map", variants],
    ["-master_pl_name", "master.m3u8", "-hls_segment_filename", "hls/%v-%03d.ts", "hls/%v.m3u8"],
  ].flat();
}

function webm(): string[] {
  const vp9 = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "300k"];
  return [...picture(180), ...sound, ...vp9, "-c:a", "libopus", "-b:a", "64k", mediaFiles.webm];
}
