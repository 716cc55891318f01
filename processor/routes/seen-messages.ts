import { signatureWindowMs } from "../../contracts/limits.ts";

export interface SeenMessages {
  /** Whether the message comes for the first time. `now`: edge time, ms. */
  isFirst(message: string, now: number): boolean;
}

/** Remembers messages for as long as their signature may be good: from the one end of the window to the other. */
export function createSeenMessages(): SeenMessages {
  /** When each was seen, oldest first. */
  const seenAt = new Map<string, number>();
  return {
    isFirst(message, now) {
      for (const [old, at] of seenAt) {
        if (now - at <= 2 * signatureWindowMs) break;
        seenAt.delete(old);
      }
      if (seenAt.has(message)) return false;
      seenAt.set(message, now);
      return true;
    },
  };
}
