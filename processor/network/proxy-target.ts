import { sourceUrlProblem, type AddressPolicy } from "../../contracts/address-rules.ts";
import type { AddressGuard } from "./address-guard.ts";

/** What the proxy may reach: `policy` decides about URLs, `guard` about the addresses that names resolve to. */
export interface EgressRules {
  readonly policy: AddressPolicy;
  readonly guard: AddressGuard;
}

/** Where to connect for an http(s) URL; null if the policy forbids it. */
export function targetOf(url: string, { policy }: EgressRules): { host: string; port: number } | null {
  if (sourceUrlProblem(url, policy) !== null) return null;
  const { protocol, hostname, port } = new URL(url);
  // A connection takes an IPv6 literal without its brackets.
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  return { host, port: Number(port || (protocol === "https:" ? 443 : 80)) };
}
