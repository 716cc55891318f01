import type { ToolFacts } from "../../processor/dependencies.ts";

/** The programs of a node whose yt-dlp is current. */
export const toolFacts: ToolFacts = {
  yt_dlp: "2026.11.01",
  yt_dlp_sealed: true,
  javascript_runtime: "node 24.21.0",
  ffmpeg: "7.1",
};
