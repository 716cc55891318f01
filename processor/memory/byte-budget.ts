/** The usage of a shared memory budget, for metrics. */
export interface MemoryUse {
  readonly totalBytes: number;
  usedBytes(): number;
}

/** A shared memory budget in bytes. Nobody waits for it: a caller that is refused makes do with what it has. */
export interface ByteBudget extends MemoryUse {
  /** False, taking nothing, if fewer bytes are left. */
  tryTake(bytes: number): boolean;
  /** Returns bytes that were taken. */
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
