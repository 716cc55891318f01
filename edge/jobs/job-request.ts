import { z } from "@hono/zod-openapi";
import type { AddressPolicy } from "../../contracts/address-rules.ts";
import { type EncodingOptions, impossibleCombination } from "../../contracts/encoding-options.ts";
import { withoutTrailingSlash } from "../storage/folder.ts";
import type { NewJob } from "./create-jobs.store.ts";
import {
  codecFields,
  filenameField,
  folderField,
  selectionFields,
  urlField,
  webhookUrlField,
} from "./request-fields.ts";

const optionFields = z.object({ ...codecFields, ...selectionFields });
type OptionFields = z.infer<typeof optionFields>;

/** Body of POST /jobs. Its fields are checked in this order, then their combination. */
export function jobRequestSchema(policy: AddressPolicy) {
  return z
    .strictObject({
      url: urlField(policy),
      ...codecFields,
      filename: filenameField,
      folder: folderField,
      webhook_url: webhookUrlField(policy),
      ...selectionFields,
    })
    .superRefine(checkCombination);
}
export type JobRequest = z.infer<ReturnType<typeof jobRequestSchema>>;

/** Adds the issue of a combination that no source can satisfy. */
export function checkCombination(request: OptionFields, context: z.RefinementCtx): void {
  const impossible = impossibleCombination(encodingOptionsOf(request));
  if (impossible === null) return;
  const { field, format, value } = impossible;
  context.addIssue({
    code: "custom",
    path: [field],
    message: `Format ${format} does not support ${field} ${value}`,
  });
}

/** The options as the client gave them, null for those it did not give. */
export function encodingOptionsOf(request: OptionFields): EncodingOptions {
  return {
    format: request.format ?? null,
    video_codec: request.video_codec ?? null,
    audio_codec: request.audio_codec ?? null,
    audio_bitrate: request.audio_bitrate ?? null,
    video_quality: request.video_quality ?? null,
    quality_preset: request.quality_preset ?? null,
    audio_only: request.audio_only ?? false,
    download_subtitles: request.download_subtitles ?? false,
    download_thumbnail: request.download_thumbnail ?? false,
  };
}

/** The job that a valid request asks for. */
export function newJobOf(request: JobRequest, id: string): NewJob {
  return {
    id,
    url: request.url,
    folder: request.folder ? withoutTrailingSlash(request.folder) : null,
    // A lone surrogate is not a character: neither the database nor a file name can hold it.
    filename: request.filename?.toWellFormed() ?? null,
    webhookUrl: request.webhook_url ?? null,
    options: encodingOptionsOf(request),
  };
}
