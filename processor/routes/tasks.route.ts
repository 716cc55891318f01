import type { FastifyInstance } from "fastify";
import {
  type ArrivedTask,
  taskRequestSchema,
  tasksPerRequestMax,
  type TaskAnswer,
} from "../../contracts/task.ts";
import type { Log } from "../log.ts";
import { logOf } from "./log-of-request.ts";
import { parseJsonBody } from "./json-body.ts";

/** More than the longest: one that continues an attempt whose file has a hundred subtitles. */
const taskMaxBytes = 256 * 1024;

/**
 * POST of tasks by the edge. Answers for each whether the node takes it; the accepted ones are already running by then.
 * Tasks addressed to another process, which was or still is at the same address, are refused.
 */
export function addTasksRoute(
  app: FastifyInstance,
  path: string,
  {
    nodeId,
    take,
    log,
  }: {
    nodeId: string;
    take: (tasks: readonly ArrivedTask[], log: Log) => TaskAnswer["results"];
    log: Log;
  },
): void {
  app.post(path, { bodyLimit: tasksPerRequestMax * taskMaxBytes }, async (request, reply) => {
    const body = taskRequestSchema.safeParse(parseJsonBody(request.body));
    if (!body.success) return reply.code(400).send({ error: "Invalid tasks" });
    const { node_id: meant, tasks } = body.data;
    const isMeant = meant === undefined || meant === nodeId;
    const results = isMeant ? take(tasks, logOf(request, log)) : tasks.map(refused);
    return { results } satisfies TaskAnswer;
  });
}

function refused({ job_id, claim }: ArrivedTask): TaskAnswer["results"][number] {
  return { job_id, claim, accepted: false };
}
