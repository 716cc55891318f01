import type { Log } from "../log.ts";

/**
 * Whether the edge hears this node. A node that is not heard loses its jobs to others and must stop working on them
 * first.
 */
export interface EdgeContact {
  /** The edge answered 2xx to a request that was sent at this time (ms, on the same clock as `now`). */
  heard(sentAtMs: number): void;
  /** A request failed. Logged once, until the edge is heard again. */
  missed(reason: string): void;
  isIsolated(): boolean;
  /** Whether the edge has ever answered, and thus knows this node. */
  wasHeard(): boolean;
  /** Milliseconds since the edge was last heard, or since the node started. */
  silentMs(): number;
  /** Stops watching. */
  stop(): void;
}

export interface EdgeContactOptions {
  /** After this long without a 2xx, the node is isolated. */
  readonly isolatedAfterMs: number;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  readonly onIsolated: () => void;
  readonly log: Log;
}

/** Counts from when a request was sent, because the edge counts from when it received it, which is later. */
export function createEdgeContact({
  isolatedAfterMs,
  now,
  onIsolated,
  log,
}: EdgeContactOptions): EdgeContact {
  let state: "new" | "heard" | "missed" | "stopped" = "new";
  let isolated = false;
  let wasHeard = false;
  let lastHeardMs = now();
  let timer = setTimeout(isolate, isolatedAfterMs);

  function isolate(): void {
    const leftMs = lastHeardMs + isolatedAfterMs - now();
    if (leftMs > 0) {
      timer = setTimeout(isolate, leftMs);
      return;
    }
    isolated = true;
    log.warn(
      { silent_ms: Math.round(now() - lastHeardMs) },
      "the edge has not answered for too long, stopping every job",
    );
    onIsolated();
  }

  return {
    heard(sentAtMs) {
      lastHeardMs = Math.max(lastHeardMs, sentAtMs);
      if (state === "stopped" || now() - lastHeardMs >= isolatedAfterMs) return;
      if (state !== "heard") log.info("connected to the edge");
      state = "heard";
      wasHeard = true;
      if (isolated) timer = setTimeout(isolate, isolatedAfterMs);
      isolated = false;
    },
    missed(reason) {
      if (state === "stopped") return;
      if (state !== "missed")
        log.warn({ reason }, "the edge cannot be reached or refuses this node, retrying");
      state = "missed";
    },
    isIsolated: () => isolated,
    wasHeard: () => wasHeard,
    silentMs: () => now() - lastHeardMs,
    stop() {
      state = "stopped";
      clearTimeout(timer);
    },
  };
}
