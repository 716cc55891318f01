import * as fc from "fast-check";
import { v7, validate, version } from "uuid";
import { expect, it } from "vitest";
import { episodeId, episodeIds } from "../../../edge/shows/episode-ids.ts";

it("are distinct UUIDs v7 in order, each in its position", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 300 }), (total) => {
      const batchId = v7();
      const ids = episodeIds(batchId, total);
      expect(ids).toHaveLength(total);
      expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
      expect([...new Set(ids)].toSorted()).toEqual(ids);
      expect(ids.map((_, place) => episodeId(batchId, place))).toEqual(ids);
    }),
  );
});

it("of two batches differ, even if created in the same millisecond", () => {
  const msecs = Date.UTC(2026, 0, 31);
  const ids = Array.from({ length: 100 }, () => episodeIds(v7({ msecs }), 20)).flat();
  expect(new Set(ids).size).toBe(2000);
});
