import { describe, expect, it } from "vitest";
import { answerTextToSign } from "../../../contracts/signed-message.ts";
import { createProcessorClient } from "../../../edge/processor/processor-client.ts";

type Answering = (request: Request) => Response | Promise<Response>;
const secret = "s".repeat(32);
const bytesOf = (text: string) => new TextEncoder().encode(text);
const hex = (bytes: ArrayBuffer) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

function askedNode(answer: Answering = () => Response.json({ results: [] })) {
  const asked: { address: string; request: Request }[] = [];
  const client = createProcessorClient({
    secrets: [secret],
    allowPrivateNetwork: false,
    requestId: "the-request",
    clock: () => 0,
    newId: () => "the-message",
    fetchNode: async (address, request) => {
      asked.push({ address, request });
      return answer(request);
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

it("sends nothing, least of all a task with its secrets, to a node over plain http", async () => {
  const { asked, client } = askedNode();
  const sending = client.sendTasks("http://node.example", { tasks: [] });
  await expect(sending).rejects.toThrow("The node's address must be https");
  expect(asked).toEqual([]);
});

describe("a node's answer", () => {
  const accepted = { results: [{ job_id: "job-1", claim: 1, accepted: true }] };
  const refused = { results: [{ job_id: "job-1", claim: 1, accepted: false }] };
  interface Forged {
    readonly by?: string;
    readonly status?: number;
    readonly body?: object;
    readonly path?: string;
  }
  /** Signed as a node would sign `accepted` for the request; what is forged is sent instead of what was signed. */
  const signing =
    ({ by = secret, status = 200, body = accepted, path }: Forged = {}): Answering =>
    async (request) => {
      const { pathname, search } = new URL(request.url);
      const text = answerTextToSign({
        request: {
          direction: "edge-to-node",
          method: "POST",
          path: path ?? pathname + search,
          timestampMs: Number(request.headers.get("x-ferry-timestamp")),
          bodySha256: hex(await crypto.subtle.digest("SHA-256", await request.arrayBuffer())),
        },
        status: 200,
        bodySha256: hex(await crypto.subtle.digest("SHA-256", bytesOf(JSON.stringify(accepted)))),
      });
      const key = await crypto.subtle.importKey(
        "raw",
        bytesOf(by),
        { name: "HMAC", hash: "SHA-256" },
        false,
        ["sign"],
      );
      const headers = { "x-ferry-signature": hex(await crypto.subtle.sign("HMAC", key, bytesOf(text))) };
      return Response.json(body, { status, headers });
    };
  const sendTo = (answer: Answering, signsAnswers?: boolean) =>
    askedNode(answer).client.sendTasks(
      "https://node.example",
      { tasks: [] },
      { ...(signsAnswers !== undefined && { signsAnswers }) },
    );
  const unsigned: Answering = () => Response.json(accepted);

  it("is believed when the node has signed it for this request", async () => {
    expect(await sendTo(signing(), true)).toEqual(accepted);
  });

  it.each([
    ["signed with another secret", signing({ by: "x".repeat(32) })],
    ["altered", signing({ body: refused })],
    ["given another status", signing({ status: 202 })],
    ["an answer to another request", signing({ path: "/internal/tasks?id=another" })],
    ["stripped of its signature", unsigned],
  ])("is not believed when it is %s", async (_, answer) => {
    await expect(sendTo(answer, true)).rejects.toThrow("not signed with the shared secret");
  });

  it("may be unsigned when the node is of a version that signs none", async () => {
    expect(await sendTo(unsigned)).toEqual(accepted);
    await expect(sendTo(signing({ body: refused }))).rejects.toThrow("not signed");
  });
});
