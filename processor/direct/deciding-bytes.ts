import { headMaxBytes } from "../containers/follow-file.ts";
import { walkThrough } from "../containers/walk-bytes.ts";
import { sniffContainer, sniffedBytes } from "../source/sniff-container.ts";
import { containerKinds } from "../containers/container-kinds.ts";

/**
 * How many leading bytes it takes to tell whether a file can be passed through unchanged. More than `head` has means
 * that at least this many are needed. Null if no number of bytes can tell.
 */
export function decidingBytes(head: Buffer): number | null {
  if (head.length < sniffedBytes) return sniffedBytes;
  const sniffed = sniffContainer(head);
  const kind = sniffed && containerKinds[sniffed];
  if (!kind) return null;
  const led = walkThrough(kind.headEnd(), head);
  const bytes = "finding" in led ? led.finding : led.wantedBytes;
  return bytes !== null && bytes <= headMaxBytes ? bytes : null;
}
