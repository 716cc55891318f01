import { NODATA, NOTFOUND, type LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import type { ResolveName } from "./address-guard.ts";

/** A name that takes longer is not worth waiting for: connections have 20 seconds. */
const defaultTimes = { timeout: 4000, tries: 2 };

/**
 * Resolves names by asking the system's name servers directly, and by the file of hosts. The system's own function
 * occupies one of the process's few threads for as long as a name takes, so that a few slow names hold up all others.
 * It is only needed where names without a domain lead to the private network. Rejects with `ENOTFOUND`, or `EAI_AGAIN`
 * if no name server says whether the name exists.
 */
export function createNameResolver(
  servers: readonly string[] | null = null,
  { hostsPath = "/etc/hosts", ...times }: { hostsPath?: string; timeout?: number; tries?: number } = {},
): ResolveName {
  const resolver = new Resolver({ ...defaultTimes, ...times });
  if (servers !== null) resolver.setServers(servers);

  return async (name) => {
    const listed = addressesInHosts(await readFile(hostsPath, "utf8").catch(() => ""), name);
    if (listed.length > 0) return listed;
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [...addressesOf(four), ...addressesOf(six)];
    if (found.length > 0) return found;
    const causes = [four, six].flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    const isUnknown = causes.every((cause) => codeOf(cause) === NODATA || codeOf(cause) === NOTFOUND);
    const message = isUnknown ? "the name has no address" : "no name server knows the name";
    throw Object.assign(new Error(message, { cause: causes[0] }), {
      code: isUnknown ? NOTFOUND : "EAI_AGAIN",
    });
  };
}

/** IPv4 first, which every network has. */
function addressesOf(answer: PromiseSettledResult<string[]>): LookupAddress[] {
  const addresses = answer.status === "fulfilled" ? answer.value : [];
  return addresses.map((address) => ({ address, family: isIP(address) }));
}

function addressesInHosts(hosts: string, name: string): LookupAddress[] {
  return hosts.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*$/, "").trim().split(/\s+/);
    const isListed = isIP(address) !== 0 && names.some((one) => one.toLowerCase() === name.toLowerCase());
    return isListed ? [{ address, family: isIP(address) }] : [];
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
