import type { JobRequest } from "../../client/ferry-client.ts";
import { textOf } from "../elements/form-text.ts";

type Options = Omit<JobRequest, "url" | "filename" | "webhook_url">;

/**
 * The options in a form. Empty fields are left out. Everything else is sent as typed, since the service validates it: a
 * CRF that is not a number is sent as text.
 */
export function readOptions(form: FormData): Options {
  const given: Record<string, string | number | boolean> = {};
  for (const name of ["format", "quality_preset", "folder", "video_codec", "audio_codec", "audio_bitrate"]) {
    const text = textOf(form, name);
    if (text !== "") given[name] = text;
  }
  const quality = textOf(form, "video_quality");
  if (quality !== "") given["video_quality"] = Number.isNaN(Number(quality)) ? quality : Number(quality);
  for (const name of ["audio_only", "download_subtitles", "download_thumbnail"]) {
    if (form.has(name)) given[name] = true;
  }
  return given;
}
