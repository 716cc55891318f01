import { inject } from "vitest";
import {
  answerTo,
  createFerry,
  type Job,
  type JobRequest,
  waitForJob,
} from "../../../client/ferry-client.ts";

interface DashboardSystem {
  readonly url: string;
  /** Where stored files are served. */
  readonly storageUrl: string;
  readonly apiKey: string;
  /** Of an account without jobs. */
  readonly otherApiKey: string;
  readonly origin: string;
  readonly receiver: string;
  /** Where all files reach the one browser. */
  readonly browser: string;
}

declare module "vitest" {
  export interface ProvidedContext {
    dashboardSystem: DashboardSystem;
  }
}

export const system = inject("dashboardSystem");
export const ferry = createFerry({ baseUrl: system.url, apiKey: system.apiKey });

/** The URL of a source. */
export const media = (path: string): string => `${system.origin}/${path}`;

/** Creates a job and returns its id. */
export async function createJob(request: JobRequest): Promise<string> {
  const created = await answerTo(ferry.POST("/jobs", { body: request }));
  if ("batch_id" in created) throw new Error(`${request.url} was taken for a show`);
  return created.job_id;
}

/** Creates a job and follows it to its end. */
export async function runJob(request: JobRequest): Promise<Job> {
  return waitForJob(ferry, await createJob(request), { intervalMs: 100 });
}
