import { NOTFOUND, type LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import { isForbiddenAddress, type AddressPolicy } from "../../contracts/address-rules.ts";

/** A host that may not be contacted. Its address is in no message: what lies behind a name is nobody's business. */
export class ForbiddenAddress extends Error {
  override readonly name = "ForbiddenAddress";
  constructor() {
    super("the address is not allowed");
  }
}

/** All addresses of a name; rejects as `node:dns` does. */
export type ResolveName = (name: string) => Promise<LookupAddress[]>;

export const resolveBySystem: ResolveName = (name) => lookup(name, { all: true });

/** Everything a connection needs to reach no forbidden address. Both halves must be used. */
export interface AddressGuard {
  /** Throws ForbiddenAddress for a forbidden literal: for literals, the lookup hook is not called. */
  checkLiteral(host: string): void;
  /** The `lookup` of a connection: fails unless every address of the name is allowed, and gives the checked ones. */
  readonly lookup: LookupFunction;
}

export function createAddressGuard(policy: AddressPolicy, resolveName: ResolveName): AddressGuard {
  const check = (address: string) => {
    if (isForbiddenAddress(address, policy)) throw new ForbiddenAddress();
  };
  const resolveChecked = callbackify(async (name: string) => {
    const addresses = await resolveName(name);
    // A connection throws, past everybody, when it is given none.
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
