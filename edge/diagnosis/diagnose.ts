import type { Diagnosis, NodeDiagnosis } from "../../contracts/diagnosis.ts";
import { longestWaitMs } from "../cluster/jobs-in-work.store.ts";
import type { LiveNode } from "../cluster/cluster-node.ts";
import type { Dependencies } from "../dependencies.ts";
import { ApiError } from "../http/api-error.ts";
import { errorFields } from "../log.ts";
import { probeBucket } from "../storage/probe-bucket.ts";
import { appliedMigrations } from "./applied-migrations.store.ts";

/** Nodes that are tried, the least busy first: a Worker has few connections at a time. */
const nodesTriedMax = 20;

/**
 * Tries each part that the edge works with, and says what it found. Leaves nothing behind. Rejects when the registry
 * does not answer; whatever else is broken is in the answer.
 */
export async function diagnose(dependencies: Dependencies): Promise<Diagnosis> {
  const { registry, clock } = dependencies;
  const { nodes, sweptAt, cronAt } = await registry.describeCluster();
  const ago = (time: number | null) => (time === null ? null : clock() - time);
  const [migrations, waitMs, storageProblem, ...tried] = await Promise.all([
    orNull(dependencies, () => appliedMigrations(dependencies)),
    orNull(dependencies, () => longestWaitMs(dependencies)),
    storageProblemOf(dependencies),
    ...nodes.slice(0, nodesTriedMax).map((node) => tryNode(dependencies, node)),
  ]);
  return {
    migrations,
    storage_problem: storageProblem,
    nodes: tried,
    swept_ms_ago: ago(sweptAt),
    cron_ms_ago: ago(cronAt),
    longest_wait_ms: waitMs,
  };
}

async function orNull<Found>(
  { log }: Pick<Dependencies, "log">,
  find: () => Promise<Found>,
): Promise<Found | null> {
  try {
    return await find();
  } catch (error) {
    log.warn("A part of the diagnosis is missing", errorFields(error));
    return null;
  }
}

async function storageProblemOf(dependencies: Dependencies): Promise<string | null> {
  try {
    await probeBucket(dependencies, dependencies.settings.managedStorage);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

/** A request for no task at all shows that the node is reached, and takes the edge's signature. */
async function tryNode(
  { processors, log }: Pick<Dependencies, "processors" | "log">,
  { id, hostname, address, silentMs, isDraining, jobs, facts }: LiveNode,
): Promise<NodeDiagnosis> {
  const problem = await processors.sendTasks(address, { node_id: id, tasks: [] }).then(
    () => null,
    (error: unknown) => {
      log.warn("A node could not be reached", { node_id: id, ...errorFields(error) });
      return error instanceof Error ? error.message : String(error);
    },
  );
  return { hostname, address, silent_ms: silentMs, draining: isDraining, jobs, facts, problem };
}
