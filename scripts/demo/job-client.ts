import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";

const createdSchema = z.object({ job_id: z.string() });
const jobSchema = z.object({
  status: z.enum(["Pending", "Processing", "Completed", "Failed"]),
  step: z.string(),
  error: z.string().nullish(),
  storage_url: z.string().optional(),
  storage_key: z.string().nullable(),
  file_size: z.int().nullable(),
  progress: z.object({ percent: z.number() }).nullish(),
  timings: z.object({ total_ms: z.number() }).partial().nullish(),
});
export type Job = z.infer<typeof jobSchema>;

interface Api {
  readonly url: string;
  readonly apiKey: string;
}

/** Creates a job and follows it to its end; `onChange` sees it at every look, one every `pollMs`. */
export async function runJob(
  api: Api,
  sourceUrl: string,
  { onChange, signal, pollMs }: { onChange: (job: Job) => void; signal: AbortSignal; pollMs: number },
): Promise<Job> {
  const body = JSON.stringify({ url: sourceUrl });
  const { job_id: id } = createdSchema.parse(await ask(api, "/jobs", { method: "POST", body, signal }));
  for (;;) {
    const job = jobSchema.parse(await ask(api, `/jobs/${id}`, { signal }));
    onChange(job);
    if (job.status === "Completed" || job.status === "Failed") return job;
    await sleep(pollMs, undefined, { signal });
  }
}

async function ask(api: Api, path: string, request: RequestInit): Promise<unknown> {
  const headers = { "x-api-key": api.apiKey, "content-type": "application/json" };
  const response = await fetch(`${api.url}${path}`, { ...request, headers });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}
