import type { FileFacts } from "../../contracts/file-facts.ts";
import { sidecarKey } from "../../contracts/sidecar-key.ts";
import type { LocalSidecar } from "./local-sidecar.ts";
import { preferredLanguage } from "./language-tag.ts";

/** The facts to report for sidecars stored next to the file with this storage key. */
export function sidecarFacts(
  sidecars: readonly LocalSidecar[],
  storageKey: string,
  originalLanguage: string | null,
): Pick<FileFacts, "sidecars" | "preferred_subtitle"> {
  const told = sidecars.map(({ kind, language, suffix, bytes }) => ({
    kind,
    language,
    storage_key: sidecarKey(storageKey, suffix),
    bytes,
  }));
  const subtitles = told.filter(({ kind }) => kind === "subtitle");
  const preferred = preferredLanguage(
    subtitles.map(({ language }) => language ?? ""),
    originalLanguage,
  );
  const shown = subtitles.find(({ language }) => language === preferred);
  return { sidecars: told, preferred_subtitle: shown?.storage_key ?? null };
}
