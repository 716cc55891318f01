import { FactList } from "../elements/fact-list.tsx";
import { Panel } from "../elements/panel.tsx";
import { playingTime } from "../format/time.ts";
import type { Job } from "../server/schemas.ts";

/** What the file contains. */
export function MediaFacts({ media }: { media: NonNullable<Job["media"]> }) {
  const { container, duration_seconds: seconds, width, height, bitrate_bps: bitrate } = media;
  return (
    <Panel title="Media">
      <FactList
        facts={[
          ["Container", container],
          ["Duration", seconds === null ? null : playingTime(seconds)],
          ["Resolution", width === null || height === null ? null : `${width} × ${height}`],
          ["Video", media.video_codec ?? "none"],
          ["Audio", media.audio_codec ?? "none"],
          ["Bitrate", bitrate === null ? null : `${Math.round(bitrate / 1000).toLocaleString("en")} kbit/s`],
        ]}
      />
    </Panel>
  );
}
