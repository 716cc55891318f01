import "./timings-panel.css";
import { Panel } from "../elements/panel.tsx";
import { duration } from "../format/time.ts";
import type { Job } from "../server/schemas.ts";

type Timings = NonNullable<Job["timings"]>;

/** How long each stage took, as a bar relative to the total. */
export function TimingsPanel({ timings }: { timings: Timings }) {
  const stages = [
    ["Queued", timings.queued_ms],
    ["Download", timings.download_ms],
    ["Mux", timings.mux_ms],
    ["Upload", timings.upload_ms],
  ] as const;
  return (
    <Panel
      title="Time"
      aside={<span class="muted small">{duration(timings.total_ms)} in total; stages overlap</span>}
    >
      <dl class="timings">
        {stages.map(([stage, ms]) => (
          <div key={stage}>
            <dt>{stage}</dt>
            <dd>
              <span class="timing-track" aria-hidden="true">
                {ms !== null && (
                  <span
                    class={`timing-bar ${stage.toLowerCase()}`}
                    style={{ width: `${share(ms, timings.total_ms)}%` }}
                  />
                )}
              </span>
              <span class="timing-number">{ms === null ? "–" : duration(ms)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(100, (part / whole) * 100);
}
