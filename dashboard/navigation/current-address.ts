import { computed, signal } from "@preact/signals";
import { type Address, hrefOf, parseAddress } from "./address.ts";

const hash = signal(location.hash);
addEventListener("hashchange", () => (hash.value = location.hash));

/** Where the page is; reading it in a component follows changes. */
export const currentAddress = computed(() => parseAddress(hash.value));

/** Goes to an address, as a click on a link to it does. */
export function goTo(address: Address): void {
  location.hash = hrefOf(address);
}

/** Changes the address without a step in the browser's history, as a filter does while it is typed. */
export function replaceAddress(address: Address): void {
  history.replaceState(null, "", hrefOf(address));
  hash.value = location.hash;
}
