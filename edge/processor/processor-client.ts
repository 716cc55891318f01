import { internalPaths } from "../../contracts/signed-message.ts";
import { type Task, type TaskAnswer, taskAnswerSchema } from "../../contracts/task.ts";
import { signRequest } from "./signature.ts";

/** How the edge speaks to a node, whatever kind of address it has. */
export interface ProcessorClient {
  /** Rejects when the node does not answer with results: its tasks may or may not have been taken. */
  sendTasks(address: string, tasks: readonly Task[]): Promise<TaskAnswer>;
}

const answerTimeoutMs = 10_000;

export function createProcessorClient(options: { secret: string; clock: () => number }): ProcessorClient {
  return {
    async sendTasks(address, tasks) {
      const body = JSON.stringify({ tasks });
      const headers = await signRequest({ ...options, method: "POST", path: internalPaths.tasks, body });
      const response = await fetch(new URL(internalPaths.tasks, address), {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body,
        redirect: "manual",
        signal: AbortSignal.timeout(answerTimeoutMs),
      });
      if (!response.ok) {
        await response.body?.cancel();
        throw new Error(`The node answered ${response.status}`);
      }
      return taskAnswerSchema.parse(await response.json());
    },
  };
}
