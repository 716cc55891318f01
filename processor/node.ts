import { setTimeout as delay } from "node:timers/promises";
import type { ArrivedTask } from "../contracts/task.ts";
import type { Dependencies } from "./dependencies.ts";
import type { Log } from "./log.ts";
import { addNodeGauges } from "./metrics/gauges.ts";
import { buildMetricsServer } from "./metrics/metrics-server.ts";
import { createEdgeClient } from "./reporting/edge-client.ts";
import { createEdgeClock } from "./reporting/edge-clock.ts";
import { createEdgeContact } from "./reporting/edge-contact.ts";
import { startHeartbeat, type HeartbeatLoop } from "./reporting/heartbeat.ts";
import { createReportOutbox } from "./reporting/report-outbox.ts";
import { buildServer } from "./server.ts";
import { describeTools, type Health } from "./routes/health.route.ts";
import { createJobTable } from "./work/job-table.ts";
import { createSlots } from "./work/slots.ts";
import { makeEmptyFolder, removeFolder } from "./work/work-folder.ts";

/** One processor node: takes tasks from the edge, runs them and reports the results. */
export interface Node {
  /** Resolves when the node is listening and ready. Rejects with the system's error, such as EADDRINUSE. */
  start(): Promise<void>;
  /**
   * Stops taking tasks, gives running jobs `DRAIN_GRACE_MS` to finish, returns the rest to the edge, and stops without
   * leaving programs or files behind. False if something did not stop or was not acknowledged in time.
   */
  drain(): Promise<boolean>;
}

/** Programs that are told to end are killed well within this time. */
const stopMaxMs = 5000;
/** How long a draining node waits for the edge to acknowledge its last reports. */
const lastReportsMaxMs = 3000;

/** Wires a node together; nothing listens, runs or is sent before `start`. */
export function createNode(dependencies: Dependencies): Node {
  const { config, nodeId, hostname, log, metrics, now, timings } = dependencies;
  const { workFolder } = config;
  let phase: "starting" | "ok" | "draining" = "starting";
  let heartbeat: HeartbeatLoop | null = null;

  const contact = createEdgeContact({
    isolatedAfterMs: timings.isolatedAfterMs,
    now,
    onIsolated: () => table.returnAll(),
    log,
  });
  const edgeClock = createEdgeClock(dependencies.clock);
  const client = createEdgeClient({
    edgeUrl: config.edgeUrl,
    secrets: config.secrets,
    edgeClock,
    contact,
    now,
  });
  const slots = createSlots(config.slots, () => phase === "ok" && !contact.isIsolated());
  const outbox = createReportOutbox({
    nodeId,
    client,
    promiseSlots: (reports) => slots.promiseInReport(table.slotsFreedBy(reports)),
    onTasks: takeAnswered,
    onRequestOver() {
      slots.reportIsOver();
      if (slots.areOverlooked()) heartbeat?.hurry();
    },
    random: dependencies.random,
    log,
  });
  const table = createJobTable({ slots, runJob: dependencies.runJob, outbox });
  const server = buildServer({
    nodeId,
    secrets: config.secrets,
    edgeNow: () => edgeClock.now(),
    takeTasks: (tasks, postLog) => table.takePosted(tasks, postLog),
    readShow: dependencies.readShow,
    health: () => ({
      status: healthStatus(),
      jobs: table.held().length,
      slots: config.slots,
      ...describeTools(dependencies.toolFacts(), dependencies.clock()),
    }),
    log,
  });

  const metricsServer = buildMetricsServer(metrics.registry);
  addNodeGauges(metrics.registry, {
    slots: config.slots,
    jobsHeld: () => table.held().length,
    counts: () => table.counts(),
    reportsWaiting: () => outbox.waiting(),
    silentMs: () => contact.silentMs(),
    edgeAheadMs: () => edgeClock.aheadMs(),
  });

  function healthStatus(): Health["status"] {
    if (phase !== "ok") return phase;
    if (contact.isIsolated()) return "isolated";
    return contact.wasHeard() ? "ok" : "starting";
  }

  function takeAnswered(tasks: readonly ArrivedTask[], answerLog: Log): void {
    const results = table.takeAnswered(tasks, answerLog);
    for (const [index, { account_id, job_id, claim }] of tasks.entries()) {
      if (results[index]?.accepted) continue;
      outbox.add({ account_id, job_id, claim, kind: "returned" }, () => undefined);
    }
  }

  return {
    async start() {
      // Listen first: if another node has the port, the folder is that node's too.
      await server.listen({ host: config.host, port: config.port });
      await makeEmptyFolder(workFolder);
      if (config.metrics !== null) await metricsServer.listen(config.metrics);
      await dependencies.warmUp();
      phase = "ok";
      heartbeat = startHeartbeat({
        client,
        intervalMs: timings.heartbeatMs,
        describe: () => ({
          node_id: nodeId,
          hostname,
          address: config.publicAddress,
          free_slots: slots.promiseInHeartbeat(),
          draining: phase === "draining",
          facts: { ...dependencies.toolFacts(), edge_ahead_ms: Math.round(edgeClock.aheadMs()) },
          counts: table.counts(),
          jobs: table.held(),
        }),
        onCancel: (claims) => table.drop(claims),
      });
      const { ffmpeg, javascript_runtime } = dependencies.toolFacts();
      log.info(
        { address: config.publicAddress, slots: config.slots, ffmpeg, javascript_runtime },
        "node started",
      );
    },

    async drain() {
      phase = "draining";
      log.info({ jobs: table.held().length, grace_ms: config.drainGraceMs }, "draining");
      heartbeat?.hurry();
      await within(config.drainGraceMs, table.whenEmpty());
      table.returnAll();
      const stopped = await within(stopMaxMs, table.whenStopped());
      const told = await within(lastReportsMaxMs, Promise.all([table.whenEmpty(), outbox.whenEmpty()]));
      contact.stop();
      outbox.stop();
      await Promise.all([heartbeat?.stop(), client.close(), server.close(), metricsServer.close()]);
      await removeFolder(workFolder);
      log.info({ stopped, told }, "node stopped");
      return stopped && told;
    },
  };
}

/** True if `work` settles in time. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const timeout = delay(milliseconds, false, { signal: timer.signal });
  try {
    return await Promise.race([work.then(() => true), timeout]);
  } finally {
    timer.abort();
  }
}
