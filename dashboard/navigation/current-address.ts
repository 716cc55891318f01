import { computed, signal } from "@preact/signals";
import { type Address, hrefOf, parseAddress } from "./address.ts";

const hash = signal(location.hash);
addEventListener("hashchange", () => (hash.value = location.hash));

/** The current address; reading it in a component follows changes. */
export const currentAddress = computed(() => parseAddress(hash.value));

/** Goes to an address, like a click on a link to it. */
export function goTo(address: Address): void {
  location.hash = hrefOf(address);
}

/** Changes the address without an entry in the browser's history, for example while a filter is typed. */
export function replaceAddress(address: Address): void {
  history.replaceState(null, "", hrefOf(address));
  hash.value = location.hash;
}
