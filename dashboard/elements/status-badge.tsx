import type { Batch, JobStatus } from "../server/schemas.ts";

const looks: Record<JobStatus | Batch["status"], { word: string; tone: string }> = {
  Pending: { word: "Pending", tone: "waiting" },
  Processing: { word: "Processing", tone: "working" },
  Completed: { word: "Completed", tone: "good" },
  Failed: { word: "Failed", tone: "bad" },
  processing: { word: "Processing", tone: "working" },
  completed: { word: "Completed", tone: "good" },
  finished: { word: "With failures", tone: "warning" },
};

/** The state of a job or batch, in a word and a colour. */
export function StatusBadge({ status }: { status: JobStatus | Batch["status"] }) {
  const { word, tone } = looks[status];
  return <span class={`badge ${tone}`}>{word}</span>;
}
