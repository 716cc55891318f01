import { NOTFOUND, type LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import { isForbiddenAddress, type AddressPolicy } from "../../contracts/address-rules.ts";

/** A host that may not be contacted. The message omits its address: what is behind a name is nobody's business. */
export class ForbiddenAddress extends Error {
  override readonly name = "ForbiddenAddress";
  constructor() {
    super("the address is not allowed");
  }
}

/** All addresses of a name; rejects like `node:dns`. */
export type ResolveName = (name: string) => Promise<LookupAddress[]>;

export const resolveBySystem: ResolveName = (name) => lookup(name, { all: true });

/** Everything a connection needs to never reach a forbidden address. Both parts must be used. */
export interface AddressGuard {
  /** Throws ForbiddenAddress for a forbidden literal, since the lookup hook is not called for literals. */
  checkLiteral(host: string): void;
  /**
   * The `lookup` hook of a connection: fails unless every address of the name is allowed, and returns the checked ones.
   */
  readonly lookup: LookupFunction;
}

/** A guard that resolves names at the time of connecting and lets `policy` decide. */
export function createAddressGuard(policy: AddressPolicy, resolveName: ResolveName): AddressGuard {
  const check = (address: string) => {
    if (isForbiddenAddress(address, policy)) throw new ForbiddenAddress();
  };
  const resolveChecked = callbackify(async (name: string) => {
    const addresses = await resolveName(name);
    // Given no address, a connection would throw where nobody can catch it.
    if (addresses.length === 0) throw Object.assign(new Error("the name has no address"), { code: NOTFOUND });
    for (const { address } of addresses) check(address);
    return addresses;
  });
  return {
    checkLiteral: (host) => {
      const address = host.replace(/^\[(.*)\]$/, "$1");
      if (isIP(address) !== 0) check(address);
    },
    lookup: (name, options, callback) => {
      resolveChecked(name, (error, addresses) => {
        const [first] = addresses ?? [];
        if (error) callback(error, "");
        else if (options.all) callback(null, addresses);
        else callback(null, first?.address ?? "", first?.family);
      });
    },
  };
}
