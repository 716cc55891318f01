import { grantLifetimeMs } from "../../contracts/limits.ts";
import { tasksPerRequestMax } from "../../contracts/task.ts";

/** Slots of a node that are reserved for one dispatcher until it settles the grant or the grant expires. */
export interface SlotGrant {
  readonly id: string;
  readonly nodeId: string;
  readonly address: string;
  readonly slots: number;
  /** The node signs its answers. */
  readonly signsAnswers?: boolean;
}

/** What became of a grant. `answered` is false if the node did not answer, or refused some of its tasks. */
export interface GrantResult {
  readonly used: number;
  readonly answered: boolean;
}

const pauseMaxMs = 30_000;

/** The slots of one node: what its last heartbeat left free, and what is granted since. Times in ms. */
export class NodeSlots {
  #free = 0;
  /** Consecutive failed deliveries; each doubles the pause before the next grant. */
  #failures = 0;
  #pausedUntil = 0;
  readonly #grants = new Map<string, { readonly slots: number; readonly expiresAt: number }>();

  get free(): number {
    return this.#free;
  }

  get failures(): number {
    return this.#failures;
  }

  /** Takes over what a heartbeat says, less what is granted: the node may not know of that yet. */
  hear(freeSlots: number, now: number): void {
    this.#free = Math.max(0, freeSlots - this.#granted(now));
  }

  /** Reserves a few free slots; null if there are none, or the node pauses. */
  grant(newId: () => string, now: number): Pick<SlotGrant, "id" | "slots"> | null {
    const slots = Math.min(this.#free, tasksPerRequestMax);
    if (slots === 0 || now < this.#pausedUntil) return null;
    const id = newId();
    this.#free -= slots;
    this.#grants.set(id, { slots, expiresAt: now + grantLifetimeMs });
    return { id, slots };
  }

  /**
   * Ends a grant, if it is this node's; unused slots are free again. A node that took nothing of what it was sent
   * pauses, longer each time until it takes something. After a refusal, its next heartbeat says how many slots it has.
   */
  settle(grantId: string, { used, answered }: GrantResult, now: number): void {
    const grant = this.#grants.get(grantId);
    if (grant === undefined) return;
    this.#grants.delete(grantId);
    if (used > 0) this.#failures = 0;
    this.#free = answered ? this.#free + grant.slots - used : 0;
    if (!answered && used === 0) {
      this.#failures += 1;
      this.#pausedUntil = now + Math.min(1000 * 2 ** (this.#failures - 1), pauseMaxMs);
    }
  }

  /** Forgets the grants that have expired. */
  #granted(now: number): number {
    let granted = 0;
    for (const [id, { slots, expiresAt }] of this.#grants) {
      if (expiresAt <= now) this.#grants.delete(id);
      else granted += slots;
    }
    return granted;
  }
}
