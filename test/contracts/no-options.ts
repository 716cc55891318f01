import type { EncodingOptions } from "../../contracts/encoding-options.ts";

/** The options of a request without any. */
export const noOptions: EncodingOptions = {
  format: null,
  video_codec: null,
  audio_codec: null,
  audio_bitrate: null,
  video_quality: null,
  quality_preset: null,
  audio_only: false,
  download_subtitles: false,
  download_thumbnail: false,
};
