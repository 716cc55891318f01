import { z } from "@hono/zod-openapi";
import { type AddressPolicy, sourceUrlProblem } from "../../contracts/address-rules.ts";
import {
  audioBitrates,
  audioCodecs,
  defaultAudioBitrate,
  defaultFormat,
  defaultVideoQuality,
  formats,
  qualityPresets,
  videoCodecs,
  videoQualityRange,
} from "../../contracts/encoding-options.ts";
import { folderMaxCharacters, urlMaxCharacters } from "../../contracts/limits.ts";
import { folderProblem } from "../storage/folder.ts";

// The fields that job requests consist of. An empty string arrives here as null: read-body.ts converts it.

/** The media's address, the only required field. */
export function urlField(policy: AddressPolicy) {
  return z
    .string({
      error: ({ input }) => (input === undefined || input === null ? "Missing url" : "url must be a string"),
    })
    .superRefine((url, context) => {
      if (url === "") return context.addIssue("Missing url");
      const problem = url.isWellFormed() ? sourceUrlProblem(url, policy) : "invalid";
      if (problem === "invalid") context.addIssue("Invalid URL");
      if (problem === "not_allowed") context.addIssue("URL not allowed");
    })
    .meta({
      description: `Absolute http or https URL of a video, at most ${urlMaxCharacters} characters.`,
      format: "uri",
    });
}

/** The address that is notified; null and missing mean none. */
export function webhookUrlField(policy: AddressPolicy) {
  return z
    .string({ error: "webhook_url must be a string" })
    .refine((url) => url.isWellFormed() && sourceUrlProblem(url, policy) === null, "Invalid webhook_url")
    .nullish()
    .meta({ description: "Receives a POST when the job ends. The rules of `url` apply.", format: "uri" });
}

const rangeSentence = `video_quality must be an integer from ${videoQualityRange.min} to ${videoQualityRange.max}`;

/** Which container and codecs. */
export const codecFields = {
  format: choice("format", formats).meta({
    description: "Container of the file; mp3 is audio only.",
    default: defaultFormat,
  }),
  video_codec: choice("video_codec", videoCodecs).meta({
    description: "`copy` keeps the video unchanged.",
    default: "copy",
  }),
  audio_codec: choice("audio_codec", audioCodecs).meta({
    description: "`copy` keeps the audio if the container can hold it; otherwise it is converted.",
    default: "copy",
  }),
  audio_bitrate: choice("audio_bitrate", audioBitrates).meta({
    description: "Applies when audio is re-encoded.",
    default: defaultAudioBitrate,
  }),
  video_quality: z
    .int({ error: rangeSentence, abort: true })
    .min(videoQualityRange.min, rangeSentence)
    .max(videoQualityRange.max, rangeSentence)
    .nullish()
    .meta({
      description: "CRF, lower is better; applies when video is re-encoded.",
      default: defaultVideoQuality,
    }),
};

export const filenameField = z.string({ error: "filename must be a string" }).nullish().meta({
  description:
    "Name of the file without its extension, which is sanitized. The default is the media's title.",
});

export const folderField = z
  .string({ error: "folder must be a string" })
  .superRefine((folder, context) => {
    const problem = folderProblem(folder);
    if (problem !== null) context.addIssue(problem);
  })
  .nullish()
  .meta({
    description: `Storage folder of the file, at most ${folderMaxCharacters} characters, without \`..\` and without a leading \`/\`.`,
    maxLength: folderMaxCharacters,
  });

/** What to take from the source. */
export const selectionFields = {
  audio_only: flag("audio_only").meta({ description: "Take only the audio.", default: false }),
  download_subtitles: flag("download_subtitles").meta({
    description: "Store subtitles next to the file.",
    default: false,
  }),
  download_thumbnail: flag("download_thumbnail").meta({
    description: "Store the thumbnail next to the file.",
    default: false,
  }),
  quality_preset: choice("quality_preset", qualityPresets).meta({
    description: "Limits the picture's shorter side: high 1080, medium 720, low 480, lowest 360.",
  }),
};

function choice<const Values extends readonly [string, ...string[]]>(name: string, values: Values) {
  return z
    .enum(values, {
      error: ({ input }) =>
        typeof input === "string"
          ? `Invalid ${name} (allowed: ${values.join(", ")})`
          : `${name} must be a string`,
    })
    .nullish();
}

function flag(name: string) {
  return z.boolean({ error: `${name} must be a boolean` }).nullish();
}
