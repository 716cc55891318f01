import { JobFailure } from "../pipeline/job.ts";

/** For a request that does not wait: all connections to its host are in use. */
export class HostBusy extends JobFailure {
  constructor() {
    super("source_error", "all connections to the host are in use");
  }
}

/** A limit on the node's connections per host, granted in order of request. */
export interface HostConnections {
  /**
   * Resolves when a connection is granted. Rejects with the signal's reason, or with HostBusy if none is free and the
   * request does not wait.
   */
  take(host: string, asking: { signal: AbortSignal; mayWait: boolean }): Promise<HostConnection>;
}

export interface HostConnection {
  /** Resolves when others are waiting, and it would be fair to let go soon. */
  readonly wanted: Promise<void>;
  /** Further calls do nothing. */
  release(): void;
}

interface Held {
  readonly resolveWanted: () => void;
}

interface Host {
  readonly held: Set<Held>;
  readonly waiting: Set<() => void>;
}

export function createHostConnections(connectionsPerHost: number): HostConnections {
  const hosts = new Map<string, Host>();

  function hold(name: string, host: Host): HostConnection {
    const { promise: wanted, resolve: resolveWanted } = Promise.withResolvers<void>();
    const held = { resolveWanted };
    host.held.add(held);
    if (host.waiting.size > 0) resolveWanted();
    return {
      wanted,
      release: () => {
        if (!host.held.delete(held)) return;
        const [next] = host.waiting;
        if (next !== undefined) next();
        else if (host.held.size === 0) hosts.delete(name);
      },
    };
  }

  return {
    async take(name, { signal, mayWait }) {
      const host = hosts.get(name) ?? { held: new Set(), waiting: new Set() };
      hosts.set(name, host);
      if (host.held.size < connectionsPerHost) return hold(name, host);
      if (!mayWait) throw new HostBusy();
      const { promise, resolve, reject } = Promise.withResolvers<HostConnection>();
      const grant = () => {
        host.waiting.delete(grant);
        resolve(hold(name, host));
      };
      const abandon = () => {
        if (host.waiting.delete(grant)) reject(signal.reason);
      };
      signal.throwIfAborted();
      signal.addEventListener("abort", abandon, { once: true });
      host.waiting.add(grant);
      for (const { resolveWanted } of host.held) resolveWanted();
      return promise.finally(() => signal.removeEventListener("abort", abandon));
    },
  };
}
