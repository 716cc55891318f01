import { ForbiddenAddress } from "./address-guard.ts";
import { failureOfNetworkError, MalformedAnswer, SourceSilent } from "./network-failure.ts";

/**
 * The proxy's refusals, in status codes that no source uses, so that a program's error message distinguishes the two. But
 * a host that asked for a pause is refused as it would itself.
 */
export const proxyRefusals = {
  forbidden: { status: 470, reason: "Address not allowed" },
  unreachable: { status: 471, reason: "Source unreachable" },
  silent: { status: 472, reason: "Source silent" },
  malformed: { status: 473, reason: "Source answer malformed" },
  resting: { status: 429, reason: "Source asked for a pause" },
} as const;
export type Refusal = (typeof proxyRefusals)[keyof typeof proxyRefusals];

/** How long a connection to a source may be silent … */
export const idleTimeoutMs = 120_000;

/** … before it fails with this, whose code is the system's for a connection that nobody answers. */
export class UpstreamSilent extends Error {
  readonly code = "ETIMEDOUT";
}

/** The refusal that an error of a connection to a source becomes. */
export function refusalOf(error: Error): Refusal {
  if (error instanceof ForbiddenAddress) return proxyRefusals.forbidden;
  const failure = failureOfNetworkError(error);
  if (failure instanceof SourceSilent) return proxyRefusals.silent;
  return failure instanceof MalformedAnswer ? proxyRefusals.malformed : proxyRefusals.unreachable;
}
