import type { HeartbeatAnswer } from "../../../contracts/heartbeat.ts";
import type { ClaimedJob } from "../../../contracts/task.ts";
import type { GrantResult, SlotGrant } from "../../../edge/cluster/node-slots.ts";
import type { Dependencies } from "../../../edge/dependencies.ts";

/** Parts of a stub's response can be awaited, which a test's own objects do not support. */
interface Calls {
  liveNodes(): Promise<string[]>;
  noteDead(claims: readonly ClaimedJob[]): Promise<void>;
  jobsMoved(): Promise<void>;
  grantSlots(): Promise<SlotGrant[]>;
  settleGrant(grantId: string, result: GrantResult): Promise<void>;
  heartbeat(): Promise<HeartbeatAnswer>;
}

/**
 * A cluster that does nothing by itself: a registry with only the given calls. The real one sweeps by the real clock, and
 * would end a test's running jobs.
 */
export function quietCluster(
  calls: Partial<Dependencies["registry"]> | Partial<Calls> = {},
): Pick<Dependencies, "registry"> {
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a stub can only be made by its namespace
    registry: calls as Dependencies["registry"],
  };
}
