import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { z } from "zod";

export const seconds = 9;

const ffmpeg = (folder: string, args: readonly string[]) =>
  execa("ffmpeg", ["-nostdin", "-v", "error", "-y", ...args], { cwd: folder });

/**
 * A film of two streams in one file, and the same film as fragmented files: both streams in one, and each in its
 * own, whose fragments DASH lists.
 */
export async function makeFragmented(folder: string, encoding: readonly string[]): Promise<void> {
  const picture = ["-f", "lavfi", "-i", `testsrc2=size=320x180:rate=25:duration=${seconds}`];
  const sound = ["-f", "lavfi", "-i", `sine=frequency=300:duration=${seconds}`];
  await mkdir(folder, { recursive: true });
  await ffmpeg(folder, [...picture, ...sound, ...encoding, "-c:a", "aac", "film.mp4"]);
  const copy = ["-i", "film.mp4", "-c", "copy"];
  const pieces = "+frag_keyframe+empty_moov+default_base_moof+delay_moov";
  await ffmpeg(folder, [...copy, "-movflags", pieces, "fragmented.mp4"]);
  const sets = "id=0,streams=v id=1,streams=a";
  await ffmpeg(folder, [...copy, "-f", "dash", "-seg_duration", "2", "-adaptation_sets", sets, "film.mpd"]);
  const names = (await readdir(folder)).toSorted();
  for (const [index, name] of ["pictures.mp4", "sound.mp4"].entries()) {
    const own = names.filter((each) => each.includes(`stream${index}`) && each.endsWith(".m4s"));
    const inOrder = own.toSorted(
      (one, other) => Number(other.startsWith("init")) - Number(one.startsWith("init")),
    );
    const parts = await Promise.all(inOrder.map((each) => readFile(join(folder, each))));
    await writeFile(join(folder, name), Buffer.concat(parts));
  }
}

const packetsSchema = z.object({
  packets: z.array(
    z.object({
      codec_type: z.string(),
      pts_time: z.string(),
      dts_time: z.string(),
      flags: z.string(),
      data_hash: z.string(),
    }),
  ),
});

/** The packets of files as a player gets them: their time, their content, and whether playback can start there. */
export async function packetsOf(...paths: string[]): Promise<string[]> {
  const entries = "packet=codec_type,pts_time,dts_time,flags,data_hash";
  const asked = ["-v", "error", "-show_data_hash", "md5", "-show_entries", entries, "-of", "json"];
  const all = await Promise.all(paths.map((path) => execa("ffprobe", [...asked, path])));
  return all
    .flatMap(({ stdout }) => packetsSchema.parse(JSON.parse(stdout)).packets)
    .map(({ flags, ...packet }) => [...Object.values(packet), flags.startsWith("K")].join(" "))
    .toSorted();
}
