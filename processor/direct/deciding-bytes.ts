import { headMaxBytes } from "../containers/follow-file.ts";
import { walkThrough } from "../containers/walk-bytes.ts";
import { sniffContainer, sniffedBytes } from "../source/sniff-container.ts";
import { containerKinds } from "../containers/container-kinds.ts";

/**
 * How many bytes from the beginning tell whether a file can be passed on as it is: no more than there are here, or at
 * least so many. Null where no number of them does.
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
