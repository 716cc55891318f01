import { describe, expect, test } from "vitest";
import { signatureWindowMs } from "../../../contracts/limits.ts";
import { answerTextToSign, internalPaths, textToSign } from "../../../contracts/signed-message.ts";
import { createInternalApp } from "../../../edge/processor/internal-app.ts";
import { quietCluster } from "../support/quiet-cluster.ts";
import { silentLog } from "../support/silent-log.ts";
import { testDependencies } from "../support/test-dependencies.ts";

const clock = { now: Date.UTC(2026, 0, 31, 12) };
const encoder = new TextEncoder();

async function hmac(secret: string, text: string): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  return hex(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
}

function hex(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

interface Sent {
  readonly path?: string;
  readonly signedPath?: string;
  readonly direction?: "edge-to-node" | "node-to-edge";
  readonly secret?: string;
  readonly timestampMs?: number;
  readonly body?: unknown;
  /** A body that is not JSON. */
  readonly text?: string;
  readonly signedBody?: unknown;
}

const heartbeat = {
  node_id: "node-x",
  hostname: "x",
  address: "https://x.example",
  sequence: 1,
  free_slots: 0,
  draining: false,
  counts: { downloading: 0, muxing: 0, uploading: 0 },
  jobs: [],
};

async function send(sent: Sent = {}, dependencies = testDependencies(clock)): Promise<Response> {
  const path = sent.path ?? internalPaths.heartbeat;
  const timestampMs = sent.timestampMs ?? clock.now;
  const body = sent.text ?? JSON.stringify(sent.body ?? heartbeat);
  const signedBody = sent.text ?? JSON.stringify(sent.signedBody ?? sent.body ?? heartbeat);
  const signature = await hmac(
    sent.secret ?? dependencies.settings.processorSecrets[0] ?? "",
    textToSign({
      direction: sent.direction ?? "node-to-edge",
      method: "POST",
      path: sent.signedPath ?? path,
      timestampMs,
      bodySha256: hex(await crypto.subtle.digest("SHA-256", encoder.encode(signedBody))),
    }),
  );
  const settings = {
    ...dependencies.settings,
    processorSecrets: [...dependencies.settings.processorSecrets, "the-secret-before-the-rotation-00"],
  };
  return createInternalApp().request(
    path,
    {
      method: "POST",
      headers: { "x-ferry-timestamp": String(timestampMs), "x-ferry-signature": signature },
      body,
    },
    { ...dependencies, settings },
  );
}

describe("internal requests", () => {
  test("are accepted if signed with the current or the previous secret", async () => {
    expect((await send()).status).toBe(200);
    expect((await send({ secret: "the-secret-before-the-rotation-00" })).status).toBe(200);
  });

  test("get an answer that is signed for them, an error too", async () => {
    const secret = testDependencies(clock).settings.processorSecrets[0] ?? "";
    for (const [body, status] of [
      [heartbeat, 200],
      [{}, 400],
    ] as const) {
      const response = await send({ body });
      const text = answerTextToSign({
        request: {
          direction: "node-to-edge",
          method: "POST",
          path: internalPaths.heartbeat,
          timestampMs: clock.now,
          bodySha256: hex(await crypto.subtle.digest("SHA-256", encoder.encode(JSON.stringify(body)))),
        },
        status,
        bodySha256: hex(await crypto.subtle.digest("SHA-256", await response.clone().arrayBuffer())),
      });
      expect(response.status).toBe(status);
      expect(response.headers.get("x-ferry-signature")?.split(",")).toContain(await hmac(secret, text));
    }
  });

  test("of a node with an unencrypted address are refused", async () => {
    const response = await send({ body: { ...heartbeat, address: "http://x.example" } });
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: "The node's address must be https" },
    ]);
  });

  const refused: [string, Sent][] = [
    ["with another secret", { secret: "nobody-ever-gave-this-secret-away" }],
    ["with an altered body", { signedBody: { ...heartbeat, free_slots: 99 } }],
    ["for another path", { path: internalPaths.reports, signedPath: internalPaths.heartbeat }],
    ["signed in the edge's direction", { direction: "edge-to-node" }],
    ["too old", { timestampMs: clock.now - signatureWindowMs - 1 }],
    ["too far ahead", { timestampMs: clock.now + signatureWindowMs + 1 }],
    [
      "to a path that does not exist, unsigned",
      { path: "/internal/other", secret: "nobody-ever-gave-this-secret-away" },
    ],
  ];
  test.each(refused)("are rejected %s", async (_, sent) => {
    const response = await send(sent);
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error: "Invalid signature" });
  });

  test("are rejected without a signature", async () => {
    const response = await createInternalApp().request(
      internalPaths.heartbeat,
      { method: "POST", body: JSON.stringify(heartbeat) },
      testDependencies(clock),
    );
    expect(response.status).toBe(401);
  });

  test("without valid headers are rejected before their body is read", async () => {
    let reads = 0;
    const body = new ReadableStream({ pull: () => void (reads += 1) }, { highWaterMark: 0 });
    const request = new Request(`http://edge${internalPaths.heartbeat}`, { method: "POST", body });
    const response = await createInternalApp().request(request, undefined, testDependencies(clock));
    expect([response.status, reads]).toEqual([401, 0]);
  });

  test("get a Retry-After while the edge is overloaded, and no details of other errors", async () => {
    const failing = (fault: Error) => ({
      ...testDependencies(clock),
      ...quietCluster({ heartbeat: () => Promise.reject(fault) }),
      log: silentLog,
    });
    const overloaded = await send({}, failing(Object.assign(new Error("No"), { overloaded: true })));
    expect([overloaded.status, overloaded.headers.get("retry-after")]).toEqual([503, "5"]);
    const broken = await send({}, failing(new Error("No")));
    expect([broken.status, broken.headers.get("retry-after")]).toEqual([500, null]);
  });

  test("with an invalid body get a 400", async () => {
    expect((await send({ body: { ...heartbeat, free_slots: "many" } })).status).toBe(400);
    expect((await send({ path: internalPaths.reports, body: { reports: [] } })).status).toBe(400);
    for (const path of [internalPaths.heartbeat, internalPaths.reports]) {
      expect((await send({ path, text: "{" })).status).toBe(400);
    }
  });
});
