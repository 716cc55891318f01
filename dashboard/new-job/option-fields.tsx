import type { ComponentChildren } from "preact";
import { CheckField, ChoiceField, TextField } from "../elements/fields.tsx";
import type { FormProblems } from "../server/problem.ts";
import type { JobOptions } from "../server/schemas.ts";

const formats: Record<JobOptions["format"], string> = {
  mp4: "mp4",
  mkv: "mkv",
  webm: "webm",
  mov: "mov",
  mp3: "mp3, audio alone",
};
const qualityPresets: Record<NonNullable<JobOptions["quality_preset"]>, string> = {
  highest: "Highest available",
  high: "High, up to 1080p",
  medium: "Medium, up to 720p",
  low: "Low, up to 480p",
  lowest: "Lowest, up to 360p",
};
const videoCodecs: Record<JobOptions["video_codec"], string> = {
  copy: "copy, never re-encode",
  h264: "h264",
  h265: "h265",
  vp9: "vp9",
};
const audioCodecs: Record<JobOptions["audio_codec"], string> = {
  copy: "copy where possible",
  aac: "aac",
  opus: "opus",
  mp3: "mp3",
};
const audioBitrates: Record<JobOptions["audio_bitrate"], string> = {
  "64k": "64 kbit/s",
  "128k": "128 kbit/s",
  "192k": "192 kbit/s",
  "256k": "256 kbit/s",
  "320k": "320 kbit/s",
};

/** The names of the fields below, as in the API. */
export const optionNames = [
  "format",
  "quality_preset",
  "folder",
  "audio_only",
  "download_subtitles",
  "download_thumbnail",
  "video_codec",
  "video_quality",
  "audio_codec",
  "audio_bitrate",
] as const;

interface OptionFieldsProps {
  readonly problems: FormProblems;
  readonly folderHint: string;
  /** A field before the folder, if there is one. */
  readonly children?: ComponentChildren;
}

/** Which parts of the media to take, and in which format. */
export function OptionFields({ problems, folderHint, children }: OptionFieldsProps) {
  return (
    <>
      <div class="field-grid">
        {children}
        <TextField
          name="folder"
          label="Folder"
          hint={folderHint}
          placeholder="talks/2026"
          problems={problems}
        />
        <ChoiceField
          name="format"
          label="Format"
          choices={formats}
          none="mp4; audio keeps its own"
          problems={problems}
        />
        <ChoiceField
          name="quality_preset"
          label="Quality"
          choices={qualityPresets}
          none="Best up to 2160p"
          problems={problems}
        />
        <div class="checks">
          <CheckField name="audio_only" label="Audio only" problems={problems} />
          <CheckField name="download_subtitles" label="Subtitles too" problems={problems} />
          <CheckField name="download_thumbnail" label="Thumbnail too" problems={problems} />
        </div>
      </div>
      <EncodingFields problems={problems} />
    </>
  );
}

function EncodingFields({ problems }: { problems: FormProblems }) {
  const encodingNames = ["video_codec", "video_quality", "audio_codec", "audio_bitrate"];
  const isWrong = encodingNames.some((name) => problems.ofFields[name] !== undefined);
  return (
    <details class="more" open={isWrong || undefined}>
      <summary>Encoding</summary>
      <div class="field-grid">
        <ChoiceField
          name="video_codec"
          label="Video codec"
          choices={videoCodecs}
          none="Copy; re-encode only if needed"
          problems={problems}
        />
        <TextField
          name="video_quality"
          label="Video quality (CRF)"
          hint="0 to 51, lower is better; when video is re-encoded"
          placeholder="23"
          inputMode="numeric"
          problems={problems}
        />
        <ChoiceField
          name="audio_codec"
          label="Audio codec"
          choices={audioCodecs}
          none="Copy where possible"
          problems={problems}
        />
        <ChoiceField
          name="audio_bitrate"
          label="Audio bitrate"
          choices={audioBitrates}
          none="192 kbit/s, when re-encoded"
          problems={problems}
        />
      </div>
    </details>
  );
}
