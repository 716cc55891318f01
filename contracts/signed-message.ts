/**
 * What edge and node sign for each other: HMAC-SHA256 under the shared secret over this text, hex, in
 * `x-ferry-signature`, with the sender's clock (ms, edge time) in `x-ferry-timestamp`.
 * The direction keeps a message from being turned round, the path from being sent elsewhere.
 */
export const signatureHeader = "x-ferry-signature";
export const timestampHeader = "x-ferry-timestamp";

export interface SignedMessage {
  readonly direction: "edge-to-node" | "node-to-edge";
  readonly method: string;
  /** With the query, as sent. */
  readonly path: string;
  readonly timestampMs: number;
  /** Lower-case hex SHA-256 of the body's bytes. */
  readonly bodySha256: string;
}

export function textToSign(message: SignedMessage): string {
  const { direction, method, path, timestampMs, bodySha256 } = message;
  return ["ferry-v1", direction, method, path, String(timestampMs), bodySha256].join("\n");
}

export const internalPaths = {
  diagnosis: "/internal/diagnosis",
  heartbeat: "/internal/heartbeat",
  reports: "/internal/reports",
  shows: "/internal/shows",
  tasks: "/internal/tasks",
} as const;
