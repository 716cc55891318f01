import { expect, it } from "vitest";
import { FerryError } from "../../../client/ferry-client.ts";
import { staleSentence } from "../../../dashboard/server/staleness.ts";
import { timeOfDay } from "../../../dashboard/format/time.ts";

const refusal = new FerryError(429, {
  error: "Too many requests",
  code: "too_many_requests",
  request_id: "r",
});
const at = Date.UTC(2026, 0, 2, 3, 4, 5);
const fresh = { data: {}, error: null, dataUpdatedAt: at };

it("nothing is reported about data that is fresh, never loaded or affected by the network", () => {
  const never = { data: undefined, error: refusal, dataUpdatedAt: 0 };
  const lost = { data: {}, error: new TypeError("Failed to fetch"), dataUpdatedAt: at };
  expect(staleSentence([fresh, never, lost])).toBeNull();
});

it("the oldest rejected data is reported with the reason", () => {
  const newer = { data: {}, error: new Error("other"), dataUpdatedAt: at - 1 };
  const refused = { data: {}, error: refusal, dataUpdatedAt: at };
  const refusedLater = { ...refused, dataUpdatedAt: at + 60_000 };
  expect(staleSentence([fresh, newer, refusedLater, refused])).toBe(
    `Too many requests. Last update at ${timeOfDay(at)}.`,
  );
});
