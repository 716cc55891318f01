import { startMaxMs } from "./container-to-wake.ts";

/** What the container's object remembers while it runs. Times in ms. */
export interface ContainerLife {
  readonly name: string;
  readonly wokenAt: number;
  /** Since when its node has had nothing to do; null while it is busy. */
  readonly idleSince: number | null;
}

/** The node in the container as the registry knows it. */
export interface NodeSeen {
  readonly isLive: boolean;
  readonly jobs: number;
}

/** `stop` lets the node drain, `kill` does not. */
export type LifeStep =
  | { readonly act: "keep"; readonly idleSince: number | null }
  | { readonly act: "stop" | "kill" };

/**
 * A node that is told to stop has drained well within this time: its jobs' grace period, plus the time to tell the
 * edge.
 */
const drainMaxMs = 60_000;

/**
 * Whether a container stays awake: as long as its node has jobs, and `idleMaxMs` after the last one. A node that should
 * be sending heartbeats and is not is killed: its jobs have been requeued by then, and it only costs money.
 */
export function nextLifeStep(
  life: ContainerLife,
  node: NodeSeen,
  { now, idleMaxMs }: { now: number; idleMaxMs: number },
): LifeStep {
  if (!node.isLive)
    return now - life.wokenAt < startMaxMs ? { act: "keep", idleSince: null } : { act: "kill" };
  if (node.jobs > 0) return { act: "keep", idleSince: null };
  const idleSince = life.idleSince ?? now;
  if (now - idleSince < idleMaxMs) return { act: "keep", idleSince };
  return now - idleSince < idleMaxMs + drainMaxMs ? { act: "stop" } : { act: "kill" };
}
