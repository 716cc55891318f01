/**
 * The node's slots and what the edge has been told about them. A free slot may be promised in a heartbeat (the edge
 * then posts a task) or in a report request (the task is in the answer), but never in both at once, so every task sent
 * for a promise finds its slot. While a request is in flight: promised in both ≤ free.
 */
export interface Slots {
  /** For a task posted to the node; false if all remaining slots are promised elsewhere. */
  takeForPosted(): boolean;
  /** For a task from the answer to a report request. */
  takeForAnswered(): boolean;
  release(): void;
  /** How many slots the next heartbeat may promise. Replaces the previous heartbeat's promise. */
  promiseInHeartbeat(): number;
  /** How many slots a report request that ends `ended` jobs may promise, including the slots of those jobs. */
  promiseInReport(ended: number): number;
  /** The report request is over: slots that it promised but that were not filled are free again. */
  reportIsOver(): void;
  /** True if slots are free although the edge believes there are none: worth sending a heartbeat now. */
  areOverlooked(): boolean;
}

/** While `isOpen` returns false, nothing is promised or taken. */
export function createSlots(total: number, isOpen: () => boolean): Slots {
  let taken = 0;
  let inHeartbeat = 0;
  let inReport = 0;
  const free = () => total - taken;

  return {
    takeForPosted() {
      if (!isOpen() || free() <= inReport) return false;
      taken += 1;
      inHeartbeat = Math.max(0, inHeartbeat - 1);
      return true;
    },
    takeForAnswered() {
      if (!isOpen() || free() <= 0) return false;
      taken += 1;
      inHeartbeat = Math.min(inHeartbeat, free());
      return true;
    },
    release() {
      taken -= 1;
    },
    promiseInHeartbeat() {
      inHeartbeat = isOpen() ? free() - inReport : 0;
      return inHeartbeat;
    },
    promiseInReport(ended) {
      if (!isOpen()) return 0;
      inReport = free() - inHeartbeat;
      return inReport + ended;
    },
    reportIsOver() {
      inReport = 0;
    },
    areOverlooked: () => isOpen() && inHeartbeat === 0 && free() > inReport,
  };
}
