import { open } from "node:fs/promises";
import { saysDuration } from "./expected-duration.ts";
import type { Workshop } from "../mux/media.ts";
import { walkBoxes } from "../containers/mp4/mp4-boxes.ts";
import { playedSeconds } from "./played-seconds.ts";
import type { Playing } from "./playing-together.ts";
import { findIndexedEnd } from "../containers/mp4/segment-index.ts";
import type { Finished } from "./verify-output.ts";

/** A file that `verifySource` has accepted. */
export interface VerifiedFile extends Finished {
  /** Its duration as measured there; null if it was not. */
  readonly measuredSeconds: number | null;
  /** Its minimum duration according to the list of its segments; null without one. */
  readonly listedSeconds: number | null;
}

/** How long a file plays. It is read to its end only if nothing else tells. */
export async function filePlaying(
  { path, probed, measuredSeconds, listedSeconds }: VerifiedFile,
  workshop: Workshop,
): Promise<Playing> {
  const { kind, durationSeconds } = probed;
  const isSure = await statesEnd({ path, probed });
  const told = isSure ? durationSeconds : measuredSeconds;
  return { seconds: told ?? (await playedSeconds({ path, kind }, workshop)), listedSeconds, isSure };
}

/**
 * Whether a verified file itself states where it ends. A fragmented mp4 does so only with an index of all fragments; the
 * duration that other files state has been verified.
 */
export async function statesEnd({ path, probed }: Finished): Promise<boolean> {
  if (!saysDuration(probed)) return false;
  const { boxes } = await walkBoxes(path);
  if (boxes.every(({ type }) => type !== "moof")) return true;
  const file = await open(path);
  try {
    return (await findIndexedEnd(file, boxes)).isSure;
  } finally {
    await file.close();
  }
}
