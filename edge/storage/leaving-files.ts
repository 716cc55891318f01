import { keysOfFile } from "./reserved-names.ts";

/** What may be in storage under a key: an object, and the multipart upload that an attempt has reported. */
export interface LeavingFile {
  readonly storageKey: string;
  /** Null: there is nothing to abort. */
  readonly uploadId: string | null;
}

/**
 * What a job's attempts may have brought to storage under its name: the upload, since the node that started it may be
 * lost, and all files if some attempt was allowed to let them appear.
 */
export function leavingFiles(job: {
  readonly storageKey: string | null;
  readonly sidecarSuffixes: readonly string[];
  readonly uploadId: string | null;
  readonly wasPublished: boolean;
}): LeavingFile[] {
  const { storageKey, uploadId } = job;
  if (storageKey === null) return [];
  const main = { storageKey, uploadId };
  if (!job.wasPublished) return uploadId === null ? [] : [main];
  return keysOfFile(storageKey, job.sidecarSuffixes).map((key) =>
    key === storageKey ? main : { storageKey: key, uploadId: null },
  );
}
