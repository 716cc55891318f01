import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createNewcomers } from "../../../processor/routes/newcomers.ts";

test("at most the allowed number stay: the newest, and only the oldest is ended", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.record({ isLeaving: fc.boolean(), which: fc.nat(20) }), { maxLength: 60 }),
      (most, steps) => {
        const newcomers = createNewcomers(most);
        let here: { destroy(): void }[] = [];
        for (const { isLeaving, which } of steps) {
          const leaving = here[which];
          if (isLeaving) {
            if (leaving !== undefined) newcomers.leave(leaving);
            here = here.filter((one) => one !== leaving);
          } else {
            const ended: unknown[] = [];
            const one = { destroy: () => void ended.push(here[0]) };
            const oldest = here[0];
            for (const other of here) other.destroy = () => void ended.push(other);
            newcomers.enter(one);
            here.push(one);
            expect(ended).toEqual(here.length > most ? [oldest] : []);
            if (here.length > most) here.shift();
          }
        }
      },
    ),
  );
});
