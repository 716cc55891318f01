import type { ClaimedJob } from "../../contracts/task.ts";
import { JobFailure, type FileLink, type JobLink, type ReservedKey } from "../pipeline/job.ts";
import type { Bucket } from "../upload/bucket.ts";
import type { LocalSidecar } from "./collect-sidecars.ts";
import { sidecarSuffixes, type SidecarPlan } from "./plan-sidecars.ts";
import { sidecarFacts } from "./sidecar-facts.ts";
import { areKeysFree } from "./store-sidecars.ts";

/** Names that may turn out to be taken by others before the job gives up. */
const namesMax = 100;

export interface SidecarLinkOptions {
  readonly job: ClaimedJob;
  readonly bucket: Bucket;
  readonly link: JobLink;
  readonly signal: AbortSignal;
  readonly plan: SidecarPlan;
  /** What became of the plan; asked for when the file is to be published. */
  readonly sidecars: () => Promise<readonly LocalSidecar[]>;
}

/**
 * The link for the upload of a file that others are to lie beside: its key is one whose sidecars' keys are free as well,
 * in the database and in storage, and what is published names them.
 */
export function createSidecarLink(options: SidecarLinkOptions): FileLink {
  const { link, plan, sidecars } = options;
  const suffixes = sidecarSuffixes(plan);
  let key: ReservedKey | null = null;

  return {
    async reserveKey(wish) {
      let { taken } = wish;
      for (let name = 0; name < namesMax; name += 1) {
        key = await link.reserveKey({ ...wish, taken, sidecars: suffixes });
        if (await areKeysFree(suffixes, key, options)) return key;
        taken = key.storageKey;
      }
      throw new JobFailure("storage_error", "every name for the file is taken");
    },
    uploadStarted: (uploadId) => link.uploadStarted(uploadId),
    async publish(facts) {
      if (key === null) throw new Error("a file is published before it has a key");
      await link.publish({
        ...facts,
        ...sidecarFacts(await sidecars(), key.storageKey, plan.originalLanguage),
      });
    },
  };
}
