import cliProgress from "cli-progress";
import type { Job } from "../../client/ferry-client.ts";

export interface ProgressView {
  show(title: string, job: Job): void;
  close(): void;
}

/** Bars on a terminal; elsewhere a line for each step that a job reaches. */
export function openProgressView(titles: readonly string[]): ProgressView {
  return process.stdout.isTTY ? openBars(titles) : openLines();
}

function openBars(titles: readonly string[]): ProgressView {
  const bars = new cliProgress.MultiBar(
    { format: "  {title} {bar} {percentage} %  {step}", hideCursor: true, clearOnComplete: false },
    cliProgress.Presets.shades_classic,
  );
  const width = Math.max(...titles.map((title) => title.length));
  const barOf = new Map(
    titles.map((title) => [title, bars.create(100, 0, { title: title.padEnd(width), step: "Queued" })]),
  );
  return {
    show(title, job) {
      const percent = job.status === "Completed" ? 100 : Math.floor(job.progress?.percent ?? 0);
      barOf.get(title)?.update(percent, { step: stepOf(job) });
    },
    close: () => bars.stop(),
  };
}

function openLines(): ProgressView {
  const shown = new Map<string, string>();
  return {
    show(title, job) {
      const step = stepOf(job);
      if (shown.get(title) !== step) console.log(`  ${title}: ${step}`);
      shown.set(title, step);
    },
    close() {},
  };
}

function stepOf(job: Job): string {
  return job.status === "Failed" ? `Failed: ${job.error ?? ""}` : job.step;
}
