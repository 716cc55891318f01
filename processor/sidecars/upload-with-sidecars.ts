import type { JobLink, ReservedKey } from "../pipeline/job.ts";
import type { PartMemory } from "../upload/part-memory.ts";
import { uploadObject, type ObjectUpload } from "../upload/upload-object.ts";
import type { LocalSidecar } from "./local-sidecar.ts";
import type { SidecarPlan } from "./plan-sidecars.ts";
import { createSidecarLink } from "./sidecar-link.ts";

/**
 * Uploads a file and its sidecars, under one name. `sidecars` returns those that could be made. Rejects like
 * `uploadObject`.
 */
export function uploadWithSidecars(
  plan: SidecarPlan,
  sidecars: () => Promise<readonly LocalSidecar[]>,
  upload: ObjectUpload & { readonly link: JobLink; readonly partMemory: PartMemory },
): Promise<ReservedKey> {
  return uploadObject({ ...upload, link: createSidecarLink({ ...upload, plan, sidecars }) });
}
