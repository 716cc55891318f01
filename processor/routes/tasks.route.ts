import type { FastifyInstance } from "fastify";
import { taskRequestSchema, type Task, type TaskAnswer } from "../../contracts/task.ts";
import { parseJsonBody } from "./json-body.ts";

/** POST of tasks by the edge: says of each whether the node takes it, and has begun on those when it answers. */
export function addTasksRoute(
  app: FastifyInstance,
  path: string,
  take: (tasks: readonly Task[]) => TaskAnswer["results"],
): void {
  app.post(path, async (request, reply) => {
    const body = taskRequestSchema.safeParse(parseJsonBody(request.body));
    if (!body.success) return reply.code(400).send({ error: "Invalid tasks" });
    return { results: take(body.data.tasks) } satisfies TaskAnswer;
  });
}
