import { hash } from "node:crypto";

const firstPlaces = 1024;
const nowhere = 0n;

/**
 * A set of ids of any length, stored as 64 bits of their hash in some 16 bytes each, since a feed can list a million.
 * The chance of a collision among a million is one in thirty million.
 */
export interface SeenIds {
  /** False for an id that was asked about before. */
  isNew(id: string): boolean;
}

export function createSeenIds(): SeenIds {
  let places = new BigUint64Array(firstPlaces);
  let taken = 0;

  /** False if it is there already. */
  function add(print: bigint): boolean {
    let place = Number(print % BigInt(places.length));
    while (places[place] !== nowhere) {
      if (places[place] === print) return false;
      place = (place + 1) % places.length;
    }
    places[place] = print;
    return true;
  }

  function grow(): void {
    const before = places;
    places = new BigUint64Array(2 * before.length);
    for (const print of before) if (print !== nowhere) add(print);
  }

  return {
    isNew(id) {
      const print = hash("sha256", id, "buffer").readBigUInt64BE() || 1n;
      const isNew = add(print);
      if (isNew) taken += 1;
      if (2 * taken > places.length) grow();
      return isNew;
    },
  };
}
