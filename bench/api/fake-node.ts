import { clearInterval, setInterval } from "node:timers";
import type { Heartbeat } from "../../contracts/heartbeat.ts";
import { heartbeatIntervalMs } from "../../contracts/limits.ts";
import { internalPaths } from "../../contracts/signed-message.ts";
import { signatureHeaders } from "../../processor/message-signature.ts";
import type { SeededAccount } from "./seed-account.ts";
import type { BenchedWorker } from "./start-worker.ts";

/** Sends the heartbeats of a node that works on the account's running job and takes no others, until `stop`. */
export async function startFakeNode(worker: BenchedWorker, account: SeededAccount): Promise<() => void> {
  let sequence = 0;
  const beat = async () => {
    sequence += 1;
    await sendHeartbeat(worker, heartbeatOf(account, sequence));
  };
  await beat();
  const beating = setInterval(() => void beat(), heartbeatIntervalMs);
  return () => clearInterval(beating);
}

function heartbeatOf(account: SeededAccount, sequence: number): Heartbeat {
  return {
    node_id: account.nodeId,
    hostname: "bench",
    address: "http://127.0.0.1:9",
    sequence,
    free_slots: 0,
    draining: false,
    counts: { downloading: 1, muxing: 0, uploading: 0 },
    jobs: [
      {
        account_id: account.id,
        job_id: account.runningJob,
        claim: 1,
        step: "Downloading",
        progress: {
          percent: Math.min(99, sequence),
          bytes_downloaded: sequence * 1_000_000,
          bytes_total: 100_000_000,
          speed_bytes_per_second: 1_000_000,
          eta_seconds: 60,
        },
      },
    ],
  };
}

async function sendHeartbeat({ url, processorSecret }: BenchedWorker, heartbeat: Heartbeat): Promise<void> {
  const body = Buffer.from(JSON.stringify(heartbeat));
  const path = internalPaths.heartbeat;
  const message = { direction: "node-to-edge", method: "POST", path, timestampMs: Date.now(), body } as const;
  const headers = { "content-type": "application/json", ...signatureHeaders(message, [processorSecret]) };
  const answer = await fetch(`${url}${path}`, { method: "POST", headers, body });
  await answer.text();
  if (!answer.ok) throw new Error(`The heartbeat was answered ${answer.status}`);
}
