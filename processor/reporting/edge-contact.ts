import type { Log } from "../log.ts";

/** Whether the edge hears this node. A node that is not heard loses its jobs to others and must stop first. */
export interface EdgeContact {
  /** The edge answered 2xx to a request that was sent at this time (ms, of the same clock as `now`). */
  heard(sentAtMs: number): void;
  /** A request failed. Said once in the log, until the edge is heard again. */
  missed(reason: string): void;
  isIsolated(): boolean;
  /** The edge has answered at all: it knows of this node. */
  wasHeard(): boolean;
  /** Milliseconds since the edge was last heard, or since the node began. */
  silentMs(): number;
  /** Nothing more is watched or said. */
  stop(): void;
}

export interface EdgeContactOptions {
  /** Without a 2xx for this long the node is isolated. */
  readonly isolatedAfterMs: number;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  readonly onIsolated: () => void;
  readonly log: Log;
}

/** Counts from the sending of a request, because the edge counts from when it got it, which is later. */
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
      "edge not heard for too long, stopping every job",
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
        log.warn({ reason }, "the edge cannot be reached or refuses this node, trying on");
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
