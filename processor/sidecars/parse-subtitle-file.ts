import { decodeText } from "./decode-text.ts";
import { parseTtml } from "./ttml.ts";
import { parseWebVtt } from "./web-vtt.ts";

/** A file of a subtitle track: read, in a format that ffmpeg can convert, or unknown. */
export type SubtitleFile =
  | {
      readonly kind: "read";
      /** JSON of a `WebVtt`. */
      readonly segment: string;
    }
  | { readonly kind: "convertible"; readonly demuxer: "srt" | "ass"; readonly text: string }
  | { readonly kind: "unknown" };

/** Throws JobFailure like `parseTtml`. */
export function parseSubtitleFile(content: Uint8Array): SubtitleFile {
  const text = decodeText(content);
  const read = parseWebVtt(text) ?? parseTtml(text);
  if (read !== null) return { kind: "read", segment: JSON.stringify(read) };
  const demuxer = sniffDemuxer(text);
  return demuxer === null ? { kind: "unknown" } : { kind: "convertible", demuxer, text };
}

/** The demuxer for a subtitle text, by its beginning; null if it is not one. */
function sniffDemuxer(text: string): "srt" | "ass" | null {
  const head = text.slice(0, 4096);
  if (/^\s*\[Script Info\]/i.test(head)) return "ass";
  return /^\s*(\d+\s*\n\s*)?\d+:\d+:\d+[,.]\d+\s*-->/.test(head.replaceAll("\r", "")) ? "srt" : null;
}
