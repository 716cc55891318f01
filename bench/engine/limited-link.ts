import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { listeningPort } from "../../processor/network/listening-port.ts";

export interface LimitedLink {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A proxy to a server on this machine that limits the bytes per second of all connections together, in each direction.
 */
export async function startLimitedLink(url: string, bytesPerSecond: number): Promise<LimitedLink> {
  const target = new URL(url);
  const [up, down] = [createPace(bytesPerSecond), createPace(bytesPerSecond)];
  const open = new Set<Socket>();

  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.once("close", () => open.delete(socket));
    }
    // One direction can end before the other has sent what it holds.
    carry(near, far, up).catch(() => far.destroy());
    carry(far, near, down).catch(() => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${listeningPort(server)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

/** Resolves when this many bytes may pass. */
type Pace = (bytes: number) => Promise<void>;

/** As much as this takes may pass at once, so that coarse timers cost no throughput. */
const burstMs = 50;

function createPace(bytesPerSecond: number): Pace {
  let freeAtMs = 0;
  return async (bytes) => {
    const now = performance.now();
    freeAtMs = Math.max(freeAtMs, now - burstMs) + (bytes * 1000) / bytesPerSecond;
    const waitMs = freeAtMs - now;
    if (waitMs > 1) await sleep(waitMs);
  };
}

async function carry(from: Socket, to: Socket, pace: Pace): Promise<void> {
  const chunks = from.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  for await (const chunk of chunks) {
    await pace(chunk.length);
    if (!to.write(chunk)) await Promise.race([once(to, "drain"), once(to, "close")]);
    if (to.destroyed) return;
  }
  to.end();
}
