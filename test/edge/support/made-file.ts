import type { FileFacts } from "../../../contracts/file-facts.ts";
import type { StageTimings } from "../../../contracts/report.ts";

/** A file's facts, for tests that are not about the file. */
export const facts: FileFacts = {
  file_size: 1000,
  media: {
    container: "mp4",
    duration_seconds: 5,
    width: 320,
    height: 240,
    video_codec: "h264",
    audio_codec: "aac",
    bitrate_bps: 1600,
  },
  sidecars: [],
  preferred_subtitle: null,
};

export const timings: StageTimings = { download_ms: 1, mux_ms: 2, upload_ms: 3 };
