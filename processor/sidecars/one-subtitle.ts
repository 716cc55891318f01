import { z } from "zod";
import { JobFailure } from "../pipeline/job.ts";
import { joinWebVtt, printWebVtt, webVttSchema } from "./web-vtt.ts";

/**
 * Joins the segments of a track, as `readSubtitles` gives them, into the text of one WebVTT file. Throws JobFailure
 * `invalid_media` if they contain nothing to show.
 */
export function oneSubtitle(segments: string, mediaStartSeconds: number): string {
  const joined = joinWebVtt(z.array(webVttSchema).parse(JSON.parse(segments)), mediaStartSeconds);
  if (joined.cues.length === 0) throw new JobFailure("invalid_media", "the subtitles are empty");
  return printWebVtt(joined);
}
