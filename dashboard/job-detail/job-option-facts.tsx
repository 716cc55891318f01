import { FactList } from "../elements/fact-list.tsx";
import { Panel } from "../elements/panel.tsx";
import type { JobOptions } from "../server/schemas.ts";

const yes = (flag: boolean) => (flag ? "yes" : null);

/** What was requested, including defaults. */
export function JobOptionFacts({ options }: { options: JobOptions }) {
  const isReencoded = options.video_codec !== "copy";
  return (
    <Panel title="Options">
      <FactList
        facts={[
          ["Format", options.format],
          ["Video codec", options.video_codec],
          ["Audio codec", options.audio_codec],
          ["Audio bitrate", options.audio_codec === "copy" ? null : options.audio_bitrate],
          ["CRF", isReencoded ? String(options.video_quality) : null],
          ["Quality preset", options.quality_preset],
          ["Audio only", yes(options.audio_only)],
          ["Subtitles", yes(options.download_subtitles)],
          ["Thumbnail", yes(options.download_thumbnail)],
          ["File name", options.filename],
          ["Folder", options.folder],
          ["Webhook", options.webhook_url === null ? null : <span class="long">{options.webhook_url}</span>],
        ]}
      />
    </Panel>
  );
}
