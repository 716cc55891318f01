/** What one job takes of each part, alone in an idle system: the most that it can. */
export interface JobCost {
  /** Requests to the Worker: the client's POST, the node's three reports, and the client's five looks. */
  readonly workerRequests: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
  /** Requests to D1, each a transaction. */
  readonly queries: number;
  /** Messages sent; each is billed as written, read and deleted. */
  readonly queueMessages: number;
  /** Calls of the NodeRegistry, heartbeats apart. */
  readonly objectRequests: number;
}

/** Measured by test/edge/http/job-cost.test.ts, which fails when they are no longer true. */
export const singleJob: JobCost = {
  workerRequests: 9,
  rowsRead: 64,
  rowsWritten: 21,
  queries: 15,
  queueMessages: 1,
  objectRequests: 4,
};
