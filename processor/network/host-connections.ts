import { JobFailure } from "../pipeline/job.ts";
import {
  afterAnswer,
  afterRefusal,
  connectionsFor,
  nextRiseMs,
  unknownHost,
  type HostStanding,
  type Patience,
} from "./patience.ts";

/** For a request that does not wait, or has waited long enough: the host has no connection for it now. */
export class HostBusy extends JobFailure {
  constructor() {
    super("source_error", "all connections to the host are in use");
  }
}

/**
 * The node's connections to each host, granted in order of request: no more at a time than are configured, fewer to a
 * host that turned one away, and none while a host rests.
 */
export interface HostConnections {
  /** Resolves when a connection is granted. Rejects with the signal's reason, or with HostBusy. */
  take(host: string, asking: Asking): Promise<HostConnection>;
}

export interface Asking {
  readonly signal: AbortSignal;
  /** How long to wait: 0 for a connection that is free or not needed; default: as long as it takes. */
  readonly waitMs?: number;
  /** Only while there is no other connection to the host, until it has answered. Others do not wait behind it. */
  readonly isAlone?: boolean;
  /** After `waitMs` it is granted beyond the bound, unless the host rests: for those who cannot be told to let go. */
  readonly isUrgent?: boolean;
}

export interface HostConnection {
  /** Resolves when others are waiting, and it would be fair to let go soon. */
  readonly wanted: Promise<void>;
  /** Whether another connection to the host delivers, or did a moment ago: the host may not know yet that it is over. */
  hasWorkingOthers(): boolean;
  /** The host answered; `delivers`: with what was requested, which now arrives. */
  answered(delivers: boolean): void;
  /** The host is busy, refused the connection, or broke it without an answer. `askedMs`: how long it wants to rest. */
  turnedAway(askedMs: number): void;
  /** Further calls do nothing. */
  release(): void;
}

interface Held {
  readonly resolveWanted: () => void;
  delivers: boolean;
  /** No other is granted until it is answered. */
  isExclusive: boolean;
}

interface Waiting {
  readonly isAlone: boolean;
  readonly grant: () => void;
}

interface Host {
  standing: HostStanding;
  readonly held: Set<Held>;
  readonly waiting: Set<Waiting>;
  /** For the next time at which those waiting may get something although nothing happens. */
  timer: NodeJS.Timeout | null;
  usedMs: number;
  deliveredMs: number;
}

/** How long a host may take to notice that a connection has ended. */
export const lingerMs = 1000;

/** What hosts did is forgotten after this long … */
const rememberedMs = 10 * 60_000;
/** … which is looked at when there are more than this many, however many names of hosts a stranger makes up. */
const hostsMax = 1000;

interface Tools {
  readonly patience: Patience;
  /** Monotonic, in milliseconds. */
  readonly now?: () => number;
  /** In [0, 1). */
  readonly random?: () => number;
}

export function createHostConnections(
  connectionsPerHost: number,
  { patience, now = () => performance.now(), random = Math.random }: Tools,
): HostConnections {
  const hosts = new Map<string, Host>();

  function hostNamed(name: string): Host {
    const known = hosts.get(name);
    if (known !== undefined) return known;
    if (hosts.size >= hostsMax) forget();
    const host = { standing: unknownHost, held: new Set<Held>(), waiting: new Set<Waiting>() };
    const fresh: Host = { ...host, timer: null, usedMs: now(), deliveredMs: -Infinity };
    hosts.set(name, fresh);
    return fresh;
  }

  /** Hosts that nobody uses and that did nothing lately; if there are none, those that nobody has used for longest. */
  function forget(): void {
    const idle = [...hosts].filter(([, { held, waiting }]) => held.size === 0 && waiting.size === 0);
    const old = idle.filter(([, { usedMs }]) => now() - usedMs >= rememberedMs);
    const least = idle.toSorted(([, one], [, other]) => one.usedMs - other.usedMs).slice(0, hostsMax / 10);
    for (const [name] of old.length > 0 ? old : least) hosts.delete(name);
  }

  const workingOf = ({ held }: Host, except: Held | null = null) =>
    [...held].filter((one) => one !== except && one.delivers).length;

  function mayHave(host: Host, isAlone: boolean, nowMs: number): boolean {
    const situation = { most: connectionsPerHost, working: workingOf(host), nowMs };
    const connections = connectionsFor(host.standing, situation, patience);
    if ([...host.held].some((one) => one.isExclusive)) return false;
    return host.held.size < (isAlone ? Math.min(connections, 1) : connections);
  }

  function grantWaiting(host: Host): void {
    // One time for both questions: a rest that ended between them would be waited for forever.
    const nowMs = now();
    for (const one of [...host.waiting].toSorted((a, b) => Number(b.isAlone) - Number(a.isAlone)))
      if (mayHave(host, one.isAlone, nowMs)) one.grant();
    if (host.timer !== null) clearTimeout(host.timer);
    const riseMs = host.waiting.size === 0 ? null : nextRiseMs(host.standing, nowMs, patience);
    host.timer = riseMs === null ? null : setTimeout(() => grantWaiting(host), Math.ceil(riseMs - nowMs));
  }

  function hold(host: Host, isAlone: boolean): HostConnection {
    const { promise: wanted, resolve: resolveWanted } = Promise.withResolvers<void>();
    const held: Held = { resolveWanted, delivers: false, isExclusive: isAlone };
    host.held.add(held);
    host.usedMs = now();
    if (host.waiting.size > 0) resolveWanted();
    return {
      wanted,
      hasWorkingOthers: () => workingOf(host, held) > 0 || now() - host.deliveredMs < lingerMs,
      answered: (delivers) => {
        held.delivers = delivers;
        held.isExclusive = false;
        host.standing = afterAnswer(host.standing, isAlone && delivers ? now() : null);
        grantWaiting(host);
      },
      turnedAway: (askedMs) => {
        const situation = { working: workingOf(host, held), askedMs, nowMs: now(), random: random() };
        host.standing = afterRefusal(host.standing, situation, patience);
        host.usedMs = now();
      },
      release: () => {
        if (!host.held.delete(held)) return;
        if (held.delivers) host.deliveredMs = now();
        grantWaiting(host);
      },
    };
  }

  return {
    async take(name, { signal, waitMs = Infinity, isAlone = false, isUrgent = false }) {
      const host = hostNamed(name);
      // Those who came first go first, except those who wait for everybody else to be gone.
      const isFirst = isAlone || [...host.waiting].every((one) => one.isAlone);
      if (isFirst && mayHave(host, isAlone, now())) return hold(host, isAlone);
      if (waitMs === 0) throw new HostBusy();
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<HostConnection>();
      const waiting: Waiting = {
        isAlone,
        grant: () => {
          host.waiting.delete(waiting);
          resolve(hold(host, isAlone));
        },
      };
      const abandon = () => {
        host.waiting.delete(waiting);
        reject(signal.reason);
      };
      const giveUp = () => {
        if (isUrgent && now() >= host.standing.restsUntilMs) return waiting.grant();
        host.waiting.delete(waiting);
        reject(new HostBusy());
      };
      const timer = waitMs === Infinity ? null : setTimeout(giveUp, waitMs);
      signal.addEventListener("abort", abandon, { once: true });
      host.waiting.add(waiting);
      for (const { resolveWanted } of host.held) resolveWanted();
      grantWaiting(host);
      return promise.finally(() => {
        if (timer !== null) clearTimeout(timer);
        signal.removeEventListener("abort", abandon);
      });
    },
  };
}
