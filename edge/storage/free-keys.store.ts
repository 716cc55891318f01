import { sql } from "drizzle-orm";
import { freedKeyRestMs } from "../../contracts/limits.ts";
import type { Dependencies } from "../dependencies.ts";
import { type Choice, type OpenWish, placesOfFile, type WishOfJob } from "./key-wish.ts";
import { prefixBytesOf } from "./object-key.ts";
import { keysOfFile } from "./reserved-names.ts";
import { storageKeyCandidate } from "./storage-key.ts";

/** Names looked up per round for one wish. */
const namesAtOnce = 20;
/** Names looked up per round for all wishes: each takes a kilobyte of the 2 MB that a statement binds. */
const namesInRound = 1000;

/** As many of the wishes as one round can look up. */
export function wishesOfRound(open: readonly OpenWish[]): OpenWish[] {
  let names = 0;
  return open.filter((one) => {
    names += numbersTried(one) * (1 + one.wish.sidecars.length);
    return names <= namesInRound;
  });
}

/** Most names are free as they are: the first is looked up alone, since D1 bills each name as a row. */
function numbersTried({ wish: { sidecars }, number }: OpenWish): number {
  return number === 1 ? 1 : Math.max(1, Math.floor(namesAtOnce / (1 + sidecars.length)));
}

/**
 * For each wish, the first number of its name that nobody holds, that no earlier wish has chosen, and under which
 * nothing of its job is still to be deleted; missing if none was found.
 */
export async function chooseFreeKeys(
  { database, clock }: Pick<Dependencies, "database" | "clock">,
  wishes: readonly WishOfJob[],
): Promise<Choice[]> {
  const candidates = wishes.map(({ open: one, job }) =>
    Array.from({ length: numbersTried(one) }, (_, step) =>
      storageKeyCandidate(
        {
          folder: job.folder,
          filename: job.filename,
          title: one.wish.title,
          jobId: job.jobId,
          extension: one.wish.extension,
          sidecarSuffixes: one.wish.sidecars,
          prefixBytes: prefixBytesOf(job),
        },
        one.number + step,
      ),
    ),
  );
  const placesOf = ({ open: { wish }, job }: WishOfJob, storageKey: string) =>
    placesOfFile(job, storageKey, wish.sidecars).map((place) => JSON.stringify(place));
  const places = new Set(
    wishes.flatMap((one, index) => (candidates[index] ?? []).flatMap((key) => placesOf(one, key))),
  );
  const heldRows = await database.all<{ locationId: number; name: string }>(sql`
    SELECT location_id AS locationId, name FROM json_each(${`[${[...places].join(",")}]`}) AS place
    CROSS JOIN reserved_keys ON location_id = place.value ->> 0 AND name = place.value ->> 1
    WHERE freed_at IS NULL OR freed_at > ${clock() - freedKeyRestMs}`);
  const unavailable = new Set(heldRows.map(({ locationId, name }) => JSON.stringify([locationId, name])));

  return wishes.flatMap((one, index) => {
    const { open, job } = one;
    const left = new Set(job.leftKeys);
    const storageKey = candidates[index]?.find(
      (key) =>
        placesOf(one, key).every((place) => !unavailable.has(place)) &&
        keysOfFile(key, open.wish.sidecars).every((own) => !left.has(own)),
    );
    if (storageKey === undefined) {
      open.number += numbersTried(open);
      return [];
    }
    for (const place of placesOf(one, storageKey)) unavailable.add(place);
    return [{ open, job, storageKey }];
  });
}
