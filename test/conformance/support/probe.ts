import { execa } from "execa";
import { z } from "zod";

const probedSchema = z.object({
  format: z.object({ format_name: z.string(), duration: z.coerce.number() }),
  streams: z.array(
    z.object({
      codec_type: z.string(),
      codec_name: z.string(),
      height: z.int().optional(),
      disposition: z.object({ attached_pic: z.int() }),
    }),
  ),
});

/** What ffprobe says about the file at a URL: container names, seconds, and codecs with heights, without covers. */
export async function probe(url: string) {
  const wanted =
    "format=format_name,duration:stream=codec_type,codec_name,height:stream_disposition=attached_pic";
  const { stdout } = await execa("ffprobe", ["-v", "error", "-of", "json", "-show_entries", wanted, url]);
  const { format, streams } = probedSchema.parse(JSON.parse(stdout));
  const ofKind = (kind: string) =>
    streams.filter((stream) => stream.codec_type === kind && stream.disposition.attached_pic === 0);
  return {
    containers: format.format_name.split(","),
    seconds: format.duration,
    video: ofKind("video").map((stream) => stream.codec_name),
    audio: ofKind("audio").map((stream) => stream.codec_name),
    height: ofKind("video")[0]?.height,
  };
}
