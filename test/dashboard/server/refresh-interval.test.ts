import { expect, it } from "vitest";
import { answerTo, type ErrorBody } from "../../../client/ferry-client.ts";
import { refreshInterval } from "../../../dashboard/server/refresh-interval.ts";

async function refusal(headers: Record<string, string>): Promise<Error> {
  const error: ErrorBody = { error: "Too many requests", code: "too_many_requests", request_id: "r" };
  const response = new Response(null, { status: 429, headers });
  return answerTo(Promise.resolve({ error, response })).then(
    () => new Error("not refused"),
    (refused: Error) => refused,
  );
}

it("the interval is the usual one, unless the service requested a longer one", async () => {
  expect(refreshInterval(1000, null)).toBe(1000);
  expect(refreshInterval(1000, new TypeError("Failed to fetch"))).toBe(1000);
  expect(refreshInterval(1000, await refusal({}))).toBe(1000);
  expect(refreshInterval(1000, await refusal({ "retry-after": "10" }))).toBe(10_000);
  expect(refreshInterval(10_000, await refusal({ "retry-after": "1" }))).toBe(10_000);
});
