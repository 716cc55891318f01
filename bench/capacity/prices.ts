/**
 * List prices in US dollars of the Workers paid plan, from developers.cloudflare.com in October 2026. What the plan
 * includes each month is not billed.
 */
export const prices = {
  plan: { name: "Workers paid plan", perMonth: 5 },
  workerRequests: { name: "Worker requests", per: 0.3e-6, included: 10e6 },
  workerCpuMs: { name: "Worker CPU, ms", per: 0.02e-6, included: 30e6 },
  rowsRead: { name: "D1 rows read", per: 0.001e-6, included: 25e9 },
  rowsWritten: { name: "D1 rows written", per: 1e-6, included: 50e6 },
  databaseGb: { name: "D1 storage, GB", per: 0.75, included: 5 },
  queueOperations: { name: "Queue operations", per: 0.4e-6, included: 1e6 },
  objectRequests: { name: "Durable Object requests", per: 0.15e-6, included: 1e6 },
  objectGbSeconds: { name: "Durable Object duration, GB-s", per: 12.5e-6, included: 400e3 },
  storageWrites: { name: "R2 class A operations", per: 4.5e-6, included: 1e6 },
} as const;

/** Limits of one of each part, from the platform's documentation or measured (docs/benchmarks.md). */
export const ceilings = {
  databaseGb: 10,
  /** D1 runs one query at a time; a job's transaction takes about a millisecond. */
  databaseTransactionsPerSecond: 1000,
  objectRequestsPerSecond: 1000,
  queueMessagesPerSecond: 5000,
} as const;
