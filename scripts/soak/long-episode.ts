import { join } from "node:path";
import { execa } from "execa";

const name = "long-episode.mp3";
/** 12 MB at 320 kbit/s: three parts of an upload. */
const seconds = 300;

/** Makes a file that is uploaded in parts, in a folder of media; returns its name there. */
export async function makeLongEpisode(folder: string): Promise<string> {
  const sound = ["-f", "lavfi", "-i", `sine=frequency=440:sample_rate=48000:duration=${seconds}`];
  await execa("ffmpeg", ["-nostdin", "-v", "error", ...sound, "-b:a", "320k", join(folder, name)]);
  return name;
}
