import { nodeLostAfterMs, nodeQuietAfterMs } from "../../contracts/limits.ts";

/** What of a node outlives the registry's memory. Times are the edge's clock in ms. */
export interface RememberedNode {
  /** Null if it has not been heard since a job was claimed for it. */
  readonly address: string | null;
  /** When it was last heard; null as long as it is being heard. */
  readonly silentSince: number | null;
  /** When a sweep first found nothing of it in memory; null as long as memory knows it. */
  readonly missedSince: number | null;
}

export interface MissedNode extends RememberedNode {
  readonly missedSince: number;
}

export type RememberedNodes = ReadonlyMap<string, RememberedNode>;

/** A node of a running job that memory does not know, now or, by its record, at an earlier sweep. */
export function missed(record: RememberedNode | undefined, now: number): MissedNode {
  const { address = null, silentSince = null, missedSince } = record ?? {};
  return { address, silentSince, missedSince: missedSince ?? now };
}

/**
 * True if the node has been silent for as long as it takes to count as lost. Since that time may have been the edge's
 * own absence, it is given a few heartbeats after it was first missed.
 */
export function isMissedForGood({ silentSince, missedSince }: MissedNode, now: number): boolean {
  const wasSilentMs = now - (silentSince ?? missedSince);
  return wasSilentMs >= nodeLostAfterMs && now - missedSince >= nodeQuietAfterMs;
}

export function isSameMemory(one: RememberedNodes, other: RememberedNodes): boolean {
  return (
    one.size === other.size &&
    [...one].every(([id, { address, silentSince, missedSince }]) => {
      const node = other.get(id);
      return (
        node?.address === address && node.silentSince === silentSince && node.missedSince === missedSince
      );
    })
  );
}
