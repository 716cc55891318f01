import { JobFailure, type FileLink, type JobLink, type ReservedKey } from "../pipeline/job.ts";
import type { LocalSidecar } from "./local-sidecar.ts";
import { sidecarSuffixes, type SidecarPlan } from "./plan-sidecars.ts";
import { sidecarFacts } from "./sidecar-facts.ts";
import { areKeysFree, storeSidecars, type SidecarStorage } from "./store-sidecars.ts";

/** How many names may turn out to be taken before the job gives up. */
const namesMax = 100;

export interface SidecarLinkOptions extends SidecarStorage {
  readonly link: JobLink;
  readonly plan: SidecarPlan;
  /** The sidecars that could be made; called when the file is to be published. */
  readonly sidecars: () => Promise<readonly LocalSidecar[]>;
}

/**
 * The link for uploading a file with sidecars: its key is one whose sidecars' keys are also free, in the database and
 * in storage, and its facts include them. The sidecars are stored once the edge allows the file to appear, and before
 * it does: should the process die in between, the edge knows everything that may be there, and the next attempt accepts
 * the file only with all its sidecars. `publish` also rejects with KeyTaken if a sidecar's key turns out to be taken.
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
      const collected = await sidecars();
      await link.publish({
        ...facts,
        ...sidecarFacts(collected, key.storageKey, plan.originalLanguage),
      });
      await storeSidecars(collected, key, options);
    },
  };
}
