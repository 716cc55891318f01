import { heartbeatAnswerSchema, type Heartbeat } from "../../contracts/heartbeat.ts";
import { internalPaths } from "../../contracts/signed-message.ts";
import type { ClaimedJob } from "../../contracts/task.ts";
import { EdgeError, type EdgeClient } from "./edge-client.ts";
import { pause } from "./pause.ts";

export interface HeartbeatLoop {
  /** Sends the next heartbeat immediately, or as soon as the current one is over. */
  hurry(): void;
  /** Resolves when no heartbeat is in flight any more. */
  stop(): Promise<void>;
}

export interface HeartbeatOptions {
  readonly client: EdgeClient;
  readonly intervalMs: number;
  /** The node's current state. Called once per heartbeat, right before it is sent. */
  readonly describe: () => Omit<Heartbeat, "sequence" | "signs_answers">;
  /** Claims that no longer belong to this node. */
  readonly onCancel: (claims: readonly ClaimedJob[]) => void;
}

const timeoutMs = 5000;

/** Posts a heartbeat every interval, one at a time. A failed one is not repeated: the next one has newer data. */
export function startHeartbeat({ client, intervalMs, describe, onCancel }: HeartbeatOptions): HeartbeatLoop {
  const stopped = new AbortController();
  let wait = new AbortController();

  async function beat(sequence: number): Promise<void> {
    try {
      const body: Heartbeat = { ...describe(), sequence, signs_answers: true };
      const { content } = await client.post(internalPaths.heartbeat, body, heartbeatAnswerSchema, timeoutMs);
      if (content.cancel.length > 0) onCancel(content.cancel);
    } catch (error) {
      if (!(error instanceof EdgeError)) throw error;
    }
  }

  async function loop(): Promise<void> {
    for (let sequence = 0; !stopped.signal.aborted; sequence += 1) {
      await Promise.all([beat(sequence), pause(intervalMs, wait.signal)]);
      if (wait.signal.aborted) wait = new AbortController();
    }
  }

  const finished = loop();
  return {
    hurry: () => wait.abort(),
    async stop() {
      stopped.abort();
      wait.abort();
      await finished;
    },
  };
}
