import { sourceUrlProblem, type AddressPolicy } from "../../contracts/address-rules.ts";
import type { AddressGuard } from "./address-guard.ts";

/** What the proxy may reach: `policy` decides about URLs, `guard` about the addresses that names resolve to. */
export interface EgressRules {
  readonly policy: AddressPolicy;
  readonly guard: AddressGuard;
}

/** What redirects, manifests and programs name may be longer than what clients send: signatures are. */
export const linkMaxCharacters = 32 * 1024;

/** The name under which an http(s) URL's host is known: connections to one port of it have one bound. */
export function hostOf({ protocol, hostname, port }: URL): string {
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}

/** Where to connect for an http(s) URL; null if the policy forbids it. */
export function targetOf(url: string, { policy }: EgressRules): { host: string; port: number } | null {
  if (sourceUrlProblem(url, policy, linkMaxCharacters) !== null) return null;
  const { protocol, hostname, port } = new URL(url);
  // A connection takes an IPv6 literal without its brackets.
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  return { host, port: Number(port || (protocol === "https:" ? 443 : 80)) };
}
