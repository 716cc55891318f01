/**
 * The rules for sources and storage that are busy, restarting or want fewer connections: when to ask again, and how
 * many connections a host bears. Pure: times are milliseconds of any one clock, and `random` is in [0, 1).
 */
export interface Patience {
  /** How long somebody who sends nothing is asked again, from the first failure after the last byte on. */
  readonly withinMs: number;
  /** The longest pause that is granted to somebody who asks for one. */
  readonly askedMaxMs: number;
  /** Pauses double from this one … */
  readonly firstPauseMs: number;
  /** … up to this one. */
  readonly longestPauseMs: number;
  /** The lowered bound of a host rises by one connection in this time. */
  readonly raiseEveryMs: number;
}

/** For jobs. */
export const defaultPatience: Patience = patienceOf(120_000);

/** For looks at shows, which have a few seconds or minutes altogether. */
export const briefPatience: Patience = { ...patienceOf(3_000), askedMaxMs: 60_000 };

/** About fifteen requests in this time. */
export function patienceOf(withinMs: number): Patience {
  return {
    withinMs,
    askedMaxMs: withinMs,
    firstPauseMs: 100,
    longestPauseMs: withinMs / 8,
    raiseEveryMs: withinMs / 2,
  };
}

/**
 * The pause after the n-th failure in a row (from 1): it doubles, and its second half is random, so that those who were
 * turned away together do not come back together.
 */
export function growingPauseMs(failures: number, random: number, patience: Patience): number {
  const { firstPauseMs, longestPauseMs } = patience;
  const ceiling = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures - 1, 30));
  return (ceiling * (1 + random)) / 2;
}

/** What a failure says about asking again. */
export interface Setback {
  /** `passing`: it is busy, restarting or cut off, which ends by itself. `odd`: perhaps it was an accident. */
  readonly kind: "passing" | "odd";
  /** The pause it asks for. */
  readonly askedMs: number;
}

/** Failures in a row. */
export interface Setbacks {
  readonly sinceMs: number;
  /** All of them. */
  readonly count: number;
  readonly odd: number;
}

/** Accidents in a row are at most this many. */
const oddMax = 5;

/** After how long to ask again; null if that is not worth it. `before`: the failures since the last byte, if any. */
export function pauseAfter(
  before: Setbacks | null,
  { kind, askedMs }: Setback,
  { nowMs, random }: { nowMs: number; random: number },
  patience: Patience,
): { readonly pauseMs: number; readonly setbacks: Setbacks } | null {
  const setbacks = {
    sinceMs: before?.sinceMs ?? nowMs,
    count: (before?.count ?? 0) + 1,
    odd: (before?.odd ?? 0) + (kind === "odd" ? 1 : 0),
  };
  const isOver = before !== null && nowMs - setbacks.sinceMs >= patience.withinMs;
  if (isOver || setbacks.odd > oddMax || askedMs > patience.askedMaxMs) return null;
  return { pauseMs: Math.max(askedMs, growingPauseMs(setbacks.count, random, patience)), setbacks };
}

/** What is known about a host. */
export interface HostStanding {
  /** How often in a row it turned somebody away while it served nobody. */
  readonly failures: number;
  /** Nobody asks before. */
  readonly restsUntilMs: number;
  /** How many connections it bore when one more was turned away, and when that was; null if that has not happened. */
  readonly bore: { readonly connections: number; readonly atMs: number } | null;
}

export const unknownHost: HostStanding = { failures: 0, restsUntilMs: 0, bore: null };

/** How many connections the host gets now. `working`: how many of its connections deliver. */
export function connectionsFor(
  { failures, restsUntilMs, bore }: HostStanding,
  { most, working, nowMs }: { most: number; working: number; nowMs: number },
  { raiseEveryMs }: Patience,
): number {
  if (nowMs < restsUntilMs) return 0;
  // One finds out for all whether it is back.
  if (failures > 0 && working === 0) return 1;
  if (bore === null) return most;
  return Math.min(most, bore.connections + Math.floor((nowMs - bore.atMs) / raiseEveryMs));
}

/** The host turned a request away: busy, refused or reset. `working`: how many other connections to it deliver. */
export function afterRefusal(
  before: HostStanding,
  { working, askedMs, nowMs, random }: { working: number; askedMs: number; nowMs: number; random: number },
  patience: Patience,
): HostStanding {
  const isAsked = askedMs > 0 && askedMs <= patience.askedMaxMs;
  const failures = working > 0 ? 0 : before.failures + 1;
  const ownMs = working > 0 ? 0 : growingPauseMs(failures, random, patience);
  const restsUntilMs = Math.max(before.restsUntilMs, nowMs + Math.max(isAsked ? askedMs : 0, ownMs));
  const bore = working > 0 ? { connections: working, atMs: nowMs } : before.bore;
  return { failures, restsUntilMs, bore };
}

/** The host answered. `aloneMs`: when, if that was to the only connection, after it had refused one more; else null. */
export function afterAnswer(before: HostStanding, aloneMs: number | null): HostStanding {
  const bore = aloneMs === null ? before.bore : { connections: 1, atMs: aloneMs };
  return { ...before, failures: 0, bore };
}

/** When `connectionsFor` may next rise by itself; null: not before something happens. */
export function nextRiseMs(
  { restsUntilMs, bore }: HostStanding,
  nowMs: number,
  { raiseEveryMs }: Patience,
): number | null {
  if (nowMs < restsUntilMs) return restsUntilMs;
  if (bore === null) return null;
  return bore.atMs + (Math.floor((nowMs - bore.atMs) / raiseEveryMs) + 1) * raiseEveryMs;
}
