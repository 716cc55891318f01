import { expect, it } from "vitest";
import { createProcessorClient } from "../../../edge/processor/processor-client.ts";

function askedNode() {
  const asked: { address: string; request: Request }[] = [];
  const client = createProcessorClient({
    secrets: ["s".repeat(32)],
    requestId: "the-request",
    clock: () => 0,
    newId: () => "the-message",
    fetchNode: async (address, request) => {
      asked.push({ address, request });
      return Response.json({ results: [] });
    },
  });
  return { asked, client };
}

it("includes the request id in a call to a node", async () => {
  const { asked, client } = askedNode();
  await client.sendTasks("https://node.example", { tasks: [] });
  expect(asked[0]?.request.headers.get("x-request-id")).toBe("the-request");
});

it("reaches a node in a container by the container's name", async () => {
  const { asked, client } = askedNode();
  await client.sendTasks("container://node-2", { tasks: [] });
  expect(asked[0]?.address).toBe("container://node-2");
  expect(asked[0]?.request.url).toBe("http://node-2/internal/tasks?id=the-message");
});
