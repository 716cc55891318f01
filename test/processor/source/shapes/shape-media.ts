import { randomUUID } from "node:crypto";
import { cp, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { makeMedia, mediaFiles } from "../../../../scripts/origin/make-media.ts";
import { testMediaFolder } from "../../../origin/test-origin.ts";

/** Contains the media of all tests, and the presentations below. */
export const shapeMediaFolder = join(tmpdir(), "ferry-shape-media-1");

const copied = ["-i", mediaFiles.mp4, "-c", "copy"];
const hls = ["-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod"];
const dash = ["-f", "dash", "-seg_duration", "2"];
const sets = ["-adaptation_sets", "id=0,streams=v id=1,streams=a"];

function words(text: string): string[] {
  return text.split(" ");
}

/** The arguments for ffmpeg, by the folder that they fill. */
const presentations: Readonly<Record<string, readonly string[]>> = {
  "hls-ts": [...copied, ...hls, "hls-ts/list.m3u8"],
  "hls-fmp4": [...copied, ...hls, "-hls_segment_type", "fmp4", "hls-fmp4/list.m3u8"],
  "hls-ranges": [...copied, ...hls, "-hls_flags", "single_file", "hls-ranges/list.m3u8"],
  "hls-fmp4-ranges": [
    ...copied,
    ...hls,
    ...words("-hls_flags single_file -hls_segment_type fmp4"),
    "hls-fmp4-ranges/list.m3u8",
  ],
  "hls-aes": [...copied, ...hls, "-hls_key_info_file", "hls-aes/key-info", "hls-aes/list.m3u8"],
  "hls-apart": [
    ...copied,
    ...words("-map 0:v -map 0:a"),
    ...hls,
    "-var_stream_map",
    "v:0,agroup:sound a:0,agroup:sound,default:yes",
    ...words("-master_pl_name master.m3u8"),
    "hls-apart/%v.m3u8",
  ],
  "hls-sound": [...copied, "-vn", ...hls, "hls-sound/list.m3u8"],
  "dash-timeline": [...copied, ...dash, ...sets, "dash-timeline/list.mpd"],
  "dash-number": [...copied, ...dash, ...sets, "-use_timeline", "0", "dash-number/list.mpd"],
  "dash-list": [
    ...copied,
    ...dash,
    ...sets,
    ...words("-use_timeline 0 -use_template 0"),
    "dash-list/list.mpd",
  ],
  "dash-sound": [...copied, "-vn", ...dash, "dash-sound/list.mpd"],
  smooth: [...copied, "-f", "smoothstreaming", "-min_frag_duration", "2000000", "smooth"],
  apart: [...copied, "-an", "apart/video.mp4", "-vn", "-c:a", "copy", "apart/audio.m4a"],
  kinds: [
    ...copied,
    ...words("kinds/film.flv -c copy kinds/film.ts -c copy kinds/film.mov"),
    ...words("-vn -c:a libvorbis kinds/sound.ogg -vn -c:a flac kinds/sound.flac"),
    ...words("-vn -c:a pcm_s16le kinds/sound.wav -vn -c:a copy kinds/sound.aac"),
  ],
};

/** Makes everything once a machine; the folder appears complete or not at all. */
export async function makeShapeMedia(): Promise<void> {
  if (await stat(shapeMediaFolder).catch(() => null)) return;
  await makeMedia(testMediaFolder);
  const making = `${shapeMediaFolder}.${randomUUID()}`;
  await cp(testMediaFolder, making, { recursive: true });
  try {
    for (const [folder, args] of Object.entries(presentations)) {
      await mkdir(join(making, folder));
      if (folder === "hls-aes") await writeKey(join(making, folder));
      await execa("ffmpeg", ["-nostdin", "-v", "error", "-y", ...args], { cwd: making });
    }
    await rename(making, shapeMediaFolder).catch(async (error: unknown) => {
      if (!(await stat(shapeMediaFolder).catch(() => null))) throw error;
    });
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

async function writeKey(folder: string): Promise<void> {
  await writeFile(join(folder, "key"), Buffer.from("0123456789abcdef"));
  await writeFile(join(folder, "key-info"), `key\n${join(folder, "key")}\n`);
}
