import "./progress-panel.css";
import { Panel } from "../elements/panel.tsx";
import { bytes } from "../format/amount.ts";
import { duration } from "../format/time.ts";
import type { Job, JobStep } from "../server/schemas.ts";

const steps: readonly JobStep[] = ["Queued", "Downloading", "Muxing", "Uploading", "Finished"];

/** How far an unfinished job is. */
export function ProgressPanel({ job: { step, progress } }: { job: Job }) {
  const at = steps.indexOf(step);
  return (
    <Panel title="Progress" class="progress-panel">
      <ol class="steps">
        {steps.map((one, index) => (
          <li
            key={one}
            class={index < at ? "done" : index === at ? "now" : undefined}
            aria-current={index === at ? "step" : undefined}
          >
            {one}
          </li>
        ))}
      </ol>
      <progress
        aria-label="Progress of the job"
        max={100}
        {...(step === "Queued" ? { value: 0 } : progress !== null && { value: progress.percent })}
      />
      <p class="progress-numbers">
        {progress === null ? (
          <span class="muted">{step === "Queued" ? "Waiting for a free node" : "Working"}</span>
        ) : (
          <>
            <strong>{Math.floor(progress.percent)} %</strong>
            <span>
              {bytes(progress.bytes_downloaded)}
              {progress.bytes_total !== null && ` of ${bytes(progress.bytes_total)}`}
            </span>
            {progress.speed_bytes_per_second > 0 && <span>{bytes(progress.speed_bytes_per_second)}/s</span>}
            {progress.eta_seconds !== null && <span>{duration(progress.eta_seconds * 1000)} left</span>}
          </>
        )}
      </p>
    </Panel>
  );
}
