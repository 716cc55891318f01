import { RangeRefused, SourceChanged } from "../network/network-failure.ts";
import type { Place } from "./byte-range.ts";

/** What the responses so far say about a remote file: enough to notice that it has become another one. */
export interface Identity {
  readonly total: number | null;
  readonly validator: string | null;
}

export const unknownIdentity: Identity = { total: null, validator: null };

/**
 * What is known after a response to a request for the bytes from `position` on. Its body begins there or, if the server
 * does not support ranges, at the beginning. Throws SourceChanged and RangeRefused.
 */
export function identify(known: Identity, place: Place, position: number): Identity {
  if (differ(known.total, place.total) || differ(known.validator, place.validator)) {
    throw new SourceChanged();
  }
  if (place.start !== position && place.start !== 0) throw new RangeRefused();
  return { total: known.total ?? place.total, validator: known.validator ?? place.validator };
}

/** A response may leave out what another one said. */
function differ<Value>(known: Value | null, told: Value | null): boolean {
  return known !== null && told !== null && known !== told;
}
