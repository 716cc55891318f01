import type { WranglerOutcome } from "./remote-wrangler.ts";
import type { ResourceNames } from "./worker-config.ts";

/** Something that must exist in the account: looked for, and created if missing. Creating it twice is harmless. */
export interface ResourceStep {
  readonly title: string;
  readonly look: readonly string[];
  /** Whether the output of `look` shows that it exists. If `look` failed for another reason, `make` fails too and says why. */
  readonly isThere: (outcome: WranglerOutcome) => boolean;
  readonly make: readonly string[];
}

/** Uploads that no node will finish cost storage until they are aborted. */
const lifecycleRule = "ferry-abort-uploads";
const abortUploadsAfterDays = "1";

/** Everything the Worker needs in the account before it is deployed, in order. */
export function resourceSteps({ database, bucket, queues }: ResourceNames): ResourceStep[] {
  const succeeded = ({ ok }: WranglerOutcome): boolean => ok;
  return [
    {
      title: `Database ${database}`,
      look: ["d1", "list", "--json"],
      isThere: ({ ok, stdout }) => ok && stdout.includes(`"name": ${JSON.stringify(database)}`),
      make: ["d1", "create", database],
    },
    ...queues.map((queue) => ({
      title: `Queue ${queue}`,
      look: ["queues", "info", queue],
      isThere: succeeded,
      make: ["queues", "create", queue],
    })),
    {
      title: `Bucket ${bucket}`,
      // Its lifecycle rules can be read wherever the bucket is; its information would also need rights to analytics.
      look: ["r2", "bucket", "lifecycle", "list", bucket],
      isThere: succeeded,
      make: ["r2", "bucket", "create", bucket],
    },
    {
      title: `Rule that aborts unfinished uploads after ${abortUploadsAfterDays} day`,
      look: ["r2", "bucket", "lifecycle", "list", bucket],
      isThere: ({ ok, stdout }) => ok && stdout.includes(lifecycleRule),
      make: ["r2", "bucket", "lifecycle", "add", bucket, lifecycleRule].concat(
        ["--abort-multipart-days", abortUploadsAfterDays],
        "--force",
      ),
    },
  ];
}
