import type { Dependencies } from "../dependencies.ts";
import { type JobStorage, openJobStorage } from "./job-storage.ts";
import { presignGet } from "./presign.ts";
import { findLocation } from "./storage-location.store.ts";

/** Creates a URL for a stored file, given its storage key. */
export type SignKey = (storageKey: string) => Promise<string>;

/** What a job's row says about where its files are. */
export interface FilesOfJob {
  readonly accountId: string;
  readonly id: string;
  readonly storageLocationId: number;
}

/** Signs URLs of a job's files as of `now`, ms; the location is looked up when the first one is signed. */
export function fileSigner(
  dependencies: Pick<Dependencies, "database" | "settings">,
  job: FilesOfJob,
  now: number,
): SignKey {
  let opened: Promise<JobStorage> | null = null;
  return async (storageKey) => {
    const { access, objectKey } = await (opened ??= storageOfJob(dependencies, job));
    return presignGet(access, objectKey(storageKey), now);
  };
}

/** The storage that holds a job's files. */
export async function storageOfJob(
  dependencies: Pick<Dependencies, "database" | "settings">,
  { accountId, id, storageLocationId }: FilesOfJob,
): Promise<JobStorage> {
  const location = await findLocation(dependencies, storageLocationId);
  return openJobStorage(location, { accountId, jobId: id }, dependencies.settings);
}
