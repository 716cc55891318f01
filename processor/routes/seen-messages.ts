import { signatureWindowMs } from "../../contracts/limits.ts";

export interface SeenMessages {
  /** Whether this is the first time the message is seen. `now` is the edge's time in ms. */
  isFirst(message: string, now: number): boolean;
}

/** Remembers messages for as long as their signature may be valid: the whole width of the window. */
export function createSeenMessages(): SeenMessages {
  /** When each message was seen, oldest first. */
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
