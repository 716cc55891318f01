import { join } from "node:path";
import type { Sidecar } from "../../contracts/file-facts.ts";
import { subtitleSuffix, thumbnailSuffix } from "./plan-sidecars.ts";

/** A sidecar as a file in the job's folder. */
export interface LocalSidecar extends Pick<Sidecar, "kind" | "language" | "bytes"> {
  readonly suffix: string;
  readonly path: string;
}

/** A subtitle or thumbnail in the job's folder, before its size is known. */
export function localSubtitle(folder: string, language: string): Omit<LocalSidecar, "bytes"> {
  const suffix = subtitleSuffix(language);
  return { kind: "subtitle", language, suffix, path: join(folder, `sidecar.${suffix}`) };
}

/** A thumbnail in the job's folder, before its size is known. */
export function localThumbnail(folder: string): Omit<LocalSidecar, "bytes"> {
  const path = join(folder, `sidecar.${thumbnailSuffix}`);
  return { kind: "thumbnail", language: null, suffix: thumbnailSuffix, path };
}
