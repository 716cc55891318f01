/** What one job uses of each part, alone in an idle system, which is the most it can use. */
export interface JobCost {
  /** Requests to the Worker: the client's POST, the node's three reports, and the client's five polls. */
  readonly workerRequests: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
  /** Requests to D1, each a transaction. */
  readonly queries: number;
  /** Messages sent; each is billed as written, read and deleted. */
  readonly queueMessages: number;
  /** Calls to the NodeRegistry, without heartbeats. */
  readonly objectRequests: number;
}

/** Measured by test/edge/http/job-cost.test.ts, which fails if they are no longer true. */
export const singleJob: JobCost = {
  workerRequests: 9,
  rowsRead: 73,
  rowsWritten: 23,
  queries: 15,
  queueMessages: 1,
  objectRequests: 4,
};
