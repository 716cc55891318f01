import type { Task } from "../../contracts/task.ts";
import { noOptions } from "../contracts/no-options.ts";

/** An ordinary task, except for the given fields. */
export function sampleTask(given: Partial<Task> = {}): Task {
  return {
    account_id: "account-1",
    job_id: "job-1",
    claim: 1,
    url: "http://127.0.0.1:9/media.mp4",
    options: noOptions,
    storage: {
      endpoint: "http://127.0.0.1:9",
      bucket: "media",
      region: "auto",
      access_key_id: "access-key-of-the-test",
      secret_access_key: "secret-key-of-the-test",
      force_path_style: true,
    },
    limits: { source_file_bytes: 1e9, source_silence_ms: 60_000, time_left_ms: 60_000 },
    earlier: null,
    ...given,
  };
}
