import type { AddressPolicy } from "./address-rules.ts";

/**
 * Whether edge and node may talk to each other at this address: over https, inside the platform (container://), and,
 * unencrypted, within one machine or where private networks are allowed. False for anything that is no address.
 */
export function isNodeLink(address: string, { allowPrivateNetwork }: AddressPolicy): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  if (protocol === "https:" || protocol === "container:") return true;
  return protocol === "http:" && (allowPrivateNetwork || isThisMachine(hostname));
}

/** As a URL parser writes the host. */
function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
