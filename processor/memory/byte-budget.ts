/** How much of a memory that several share is taken, for whoever watches it. */
export interface MemoryUse {
  readonly totalBytes: number;
  usedBytes(): number;
}

/** Memory that several share, counted in bytes. Nobody waits for it: who gets none does with what it has. */
export interface ByteBudget extends MemoryUse {
  /** False when so many are not left. */
  tryTake(bytes: number): boolean;
  /** Gives back what was taken. */
  give(bytes: number): void;
}

export function createByteBudget(totalBytes: number): ByteBudget {
  let left = totalBytes;
  return {
    totalBytes,
    usedBytes: () => totalBytes - left,
    tryTake: (bytes) => {
      if (bytes > left) return false;
      left -= bytes;
      return true;
    },
    give: (bytes) => {
      left += bytes;
    },
  };
}
