import type { JobLink, ReservedKey } from "../pipeline/job.ts";
import { uploadObject, type ObjectUpload } from "../upload/upload-object.ts";
import type { LocalSidecar } from "./collect-sidecars.ts";
import type { SidecarPlan } from "./plan-sidecars.ts";
import { createSidecarLink } from "./sidecar-link.ts";
import { storeSidecars } from "./store-sidecars.ts";

/**
 * Brings a file to storage, and then what is to lie beside it. The edge knows of all of it since it was asked to
 * publish, and deletes what is there should the rest fail; the next attempt takes the file for whole only with all that
 * belongs to it. `sidecars` is what became of the plan. Rejects as `uploadObject` does.
 */
export async function uploadWithSidecars(
  plan: SidecarPlan,
  sidecars: () => Promise<readonly LocalSidecar[]>,
  upload: ObjectUpload & { readonly link: JobLink },
): Promise<ReservedKey> {
  const key = await uploadObject({ ...upload, link: createSidecarLink({ ...upload, plan, sidecars }) });
  await storeSidecars(await sidecars(), key, upload);
  return key;
}
