/**
 * The node's slots and what the edge was told of them. A free slot may be promised in a heartbeat (the edge then
 * posts a task) or in a report request (the task comes in the answer), never in both at once: so every task that
 * answers a promise finds its slot. While a request is under way: promised in both ≤ free.
 */
export interface Slots {
  /** For a task posted to the node; false when no slot is left that is not promised elsewhere. */
  takeForPosted(): boolean;
  /** For a task from the answer to a report request. */
  takeForAnswered(): boolean;
  release(): void;
  /** How many slots the heartbeat being sent may promise. Replaces what the last one promised. */
  promiseInHeartbeat(): number;
  /** How many slots a report request may promise that ends `ended` jobs, whose slots are among them. */
  promiseInReport(ended: number): number;
  /** The report request is over: what it promised and did not fill is free again. */
  reportIsOver(): void;
  /** True when slots are free and the edge believes that there are none: a heartbeat is worth sending now. */
  areOverlooked(): boolean;
}

/** While `isOpen` says no, nothing is promised or taken. */
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
