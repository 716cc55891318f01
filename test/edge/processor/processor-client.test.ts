import { afterEach, expect, it, vi } from "vitest";
import { createProcessorClient } from "../../../edge/processor/processor-client.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

it("tells a node on whose behalf it is asked", async () => {
  const asked = vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json({ results: [] }));
  const client = createProcessorClient({ secret: "s".repeat(32), requestId: "the-request", clock: () => 0 });
  await client.sendTasks("https://node.example", { tasks: [] });
  expect(new Headers(asked.mock.calls[0]?.[1]?.headers).get("x-request-id")).toBe("the-request");
});
