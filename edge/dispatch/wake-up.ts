import type { Dependencies, WakeUp } from "../dependencies.ts";
import { errorFields } from "../log.ts";

/**
 * Asks a consumer to claim what is due. The rows are the outbox: an unsent message costs a wait until the next sweep.
 */
export async function sendWakeUp(
  { wakeUps, log }: Pick<Dependencies, "wakeUps" | "log">,
  reason: WakeUp["reason"],
): Promise<void> {
  try {
    await wakeUps.send({ reason });
  } catch (error) {
    log.warn("A wake-up could not be sent", { reason, ...errorFields(error) });
  }
}
