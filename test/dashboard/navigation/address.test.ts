import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Address,
  home,
  hrefOf,
  jobStatuses,
  parseAddress,
} from "../../../dashboard/navigation/address.ts";

const status = fc.option(fc.constantFrom(...jobStatuses));
const page = fc.integer({ min: 1, max: 9_999_999 });
const id = fc.string({ unit: "binary", minLength: 1 }).filter((text) => text.isWellFormed());
const search = fc.string({ unit: "binary" }).filter((text) => text.isWellFormed());

const addresses: fc.Arbitrary<Address> = fc.oneof(
  fc.record({ view: fc.constant("overview"), status, search, page }),
  fc.record({ view: fc.constant("job"), id }),
  fc.record({ view: fc.constant("shows") }),
  fc.record({ view: fc.constant("batch"), id, status, page }),
  fc.record({ view: fc.constant("new"), kind: fc.constantFrom("media", "show", "list") }),
  fc.record({ view: fc.constant("webhooks"), page }),
  fc.record({ view: fc.constant("account") }),
  fc.record({ view: fc.constant("nowhere") }),
);

describe("an address", () => {
  it("is read back unchanged from its link, for any search text", () => {
    fc.assert(
      fc.property(addresses, (address) => {
        expect(parseAddress(hrefOf(address))).toEqual(address);
      }),
    );
  });

  it("is read from any text without an error", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(parseAddress(text)).toHaveProperty("view");
      }),
    );
  });

  it("is the overview by default", () => {
    expect(["", "#", "#/"].map(parseAddress)).toEqual([home, home, home]);
  });

  it.each(["#/jobs", "#/jobs/", "#/jobs/%zz", "#/jobs/a/b", "#/new/other", "#/shows/x", "#/jobs?page=1"])(
    "does not exist for %s",
    (hash) => expect(parseAddress(hash)).toEqual({ view: "nowhere" }),
  );

  it.each(["0", "-1", "1.5", "x", "1e3", "99999999"])("is the first page for page %s", (text) => {
    expect(parseAddress(`#/?page=${text}`)).toEqual(home);
  });
});
