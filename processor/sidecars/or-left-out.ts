import type { SidecarContext } from "./sidecar-context.ts";

/**
 * The result for one sidecar; null, with a log line, if it fails or the signal is aborted: that is no reason to lose
 * the media.
 */
export async function orLeftOut<Result>(
  what: Readonly<Record<string, string>>,
  { log, signal }: SidecarContext,
  collect: () => Promise<Result>,
): Promise<Result | null> {
  if (signal.aborted) return null;
  try {
    return await collect();
  } catch (error) {
    log.warn({ ...what, err: error }, "a sidecar was left out");
    return null;
  }
}
