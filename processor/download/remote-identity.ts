import { RangeRefused, SourceChanged } from "../network/network-failure.ts";
import type { Place } from "./byte-range.ts";

/** What the responses so far say about a remote file: enough to notice that it has become another one. */
export interface Identity {
  readonly total: number | null;
  /** Several if mirrors of the same file call it differently; empty if none said anything. */
  readonly validators: readonly string[];
}

export const unknownIdentity: Identity = { total: null, validators: [] };

/**
 * What is known after a response to a request for the bytes from `position` on. Its body begins there or, if the server
 * does not support ranges, at the beginning. Throws SourceChanged and RangeRefused.
 */
export function identify(known: Identity, place: Place, position: number): Identity {
  if (isOtherLength(known, place) || isOtherVersion(known, place)) throw new SourceChanged();
  if (place.start !== position && place.start !== 0) throw new RangeRefused();
  return withValidator({ ...known, total: known.total ?? place.total }, place);
}

/** Whether a response is about a file of the same length that its server calls differently. */
export function isOfMirror(known: Identity, place: Place): boolean {
  return isOtherVersion(known, place) && known.total !== null && known.total === place.total;
}

/** The file also has the validator of this response. */
export function withValidator({ total, validators }: Identity, { validator }: Place): Identity {
  const isNew = validator !== null && !validators.includes(validator);
  return { total, validators: isNew ? [...validators, validator] : validators };
}

function isOtherLength({ total }: Identity, place: Place): boolean {
  return total !== null && place.total !== null && total !== place.total;
}

/** A response may leave out what another one said. */
function isOtherVersion({ validators }: Identity, { validator }: Place): boolean {
  return validators.length > 0 && validator !== null && !validators.includes(validator);
}
