/** Wakes everyone who is waiting for a change. */
export interface Bell {
  ring(): void;
  /** Resolves at the next ring. */
  heard(): Promise<void>;
}

export function createBell(): Bell {
  let waiting: PromiseWithResolvers<void> | null = null;
  return {
    ring: () => {
      waiting?.resolve();
      waiting = null;
    },
    heard: () => {
      waiting ??= Promise.withResolvers<void>();
      return waiting.promise;
    },
  };
}
