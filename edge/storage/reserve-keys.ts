import type { Dependencies } from "../dependencies.ts";
import { chooseFreeKeys, wishesOfRound } from "./free-keys.store.ts";
import { holdKeys } from "./hold-keys.store.ts";
import type { KeyWish, OpenWish, WishedJob, WishOfJob } from "./key-wish.ts";
import { objectKeyOf } from "./object-key.ts";
import { findWishedJobs } from "./wished-jobs.store.ts";

/** A reserved key: the client's name for the file, and the object's key in the bucket. */
export interface ReservedKey {
  readonly storage_key: string;
  readonly object_key: string;
}

/** By then, thousands of numbers of a name have turned out to be taken. */
const roundsMax = 500;

/**
 * Gives each job the first number of its name in its bucket at which its own key and those of all its sidecars are
 * free, and reserves them for all of the job's attempts. Null if the claim is dead, or belongs to another node. Keys
 * are reserved in the database before anything is uploaded under them.
 */
export async function reserveKeys(
  dependencies: Pick<Dependencies, "database" | "clock" | "newToken">,
  nodeId: string,
  wishes: readonly KeyWish[],
): Promise<(ReservedKey | null)[]> {
  const answers = wishes.map((): ReservedKey | null => null);
  let open = wishes.map((wish, index): OpenWish => ({ index, wish, number: 1 }));
  for (let round = 0; open.length > 0; round += 1) {
    if (round === roundsMax) throw new Error("No free key was found for a file's name");
    const inRound = wishesOfRound(open);
    const wished = inRound.map(({ wish }) => wish);
    const jobs = await findWishedJobs(dependencies, nodeId, wished);
    const unkept: WishOfJob[] = [];
    for (const one of inRound) {
      const job = jobs.get(one.wish.job_id);
      if (job === undefined) continue;
      const { storageKey } = job;
      if (storageKey === null || !isStillRight(storageKey, job, one.wish)) unkept.push({ open: one, job });
      else answers[one.index] = keyOf(job, storageKey);
    }
    const choices = await chooseFreeKeys(dependencies, unkept);
    const held = await holdKeys(dependencies, choices);
    for (const { open: one, job, storageKey } of choices) {
      if (held.has(job.jobId)) answers[one.index] = keyOf(job, storageKey);
    }
    const unsettled = unkept.filter(({ job }) => !held.has(job.jobId)).map(({ open: one }) => one);
    open = [...unsettled, ...open.slice(inRound.length)];
  }
  return answers;
}

function isStillRight(storageKey: string, job: WishedJob, { extension, taken, sidecars }: KeyWish): boolean {
  if (storageKey === taken || !storageKey.endsWith(`.${extension}`)) return false;
  return sidecars.every((suffix) => job.sidecarSuffixes.includes(suffix));
}

function keyOf(job: WishedJob, storageKey: string): ReservedKey {
  return { storage_key: storageKey, object_key: objectKeyOf(job, job, storageKey) };
}
