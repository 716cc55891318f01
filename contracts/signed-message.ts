import { signatureWindowMs } from "./limits.ts";

/**
 * What edge and node sign for each other: HMAC-SHA256 of this text under the shared secret, in hex, in
 * `x-ferry-signature`, with the sender's clock (ms, edge time) in `x-ferry-timestamp`. The direction keeps a message
 * from being reflected, the path from being redirected. A side that has two secrets signs with both and accepts either,
 * so a rotation can start on either side.
 */
export const signatureHeader = "x-ferry-signature";
export const timestampHeader = "x-ferry-timestamp";

export interface SignedMessage {
  readonly direction: "edge-to-node" | "node-to-edge";
  readonly method: string;
  /** Including the query, as sent. */
  readonly path: string;
  readonly timestampMs: number;
  /** Hex SHA-256 of the body's bytes, lower case. */
  readonly bodySha256: string;
}

/** The text that both sides sign. */
export function textToSign(message: SignedMessage): string {
  const { direction, method, path, timestampMs, bodySha256 } = message;
  return ["ferry-v1", direction, method, path, String(timestampMs), bodySha256].join("\n");
}

/**
 * The text that the receiver of a signed request signs for its answer, in the same header: nobody else's answer, none to
 * another request, and no part of it altered. Answers in JSON are signed, a show's lines are not. Versions up to 0.1.0
 * sign none: the edge expects it of a node whose heartbeats say so, a node of an edge that has done so before.
 */
export function answerTextToSign(answer: {
  readonly request: SignedMessage;
  readonly status: number;
  /** Hex SHA-256 of the answer's body, lower case. */
  readonly bodySha256: string;
}): string {
  return ["ferry-answer-v1", textToSign(answer.request), String(answer.status), answer.bodySha256].join("\n");
}

const signaturesMax = 2;

export const joinSignatures = (signatures: readonly string[]): string => signatures.join(",");

/** What a message's two headers say. */
export interface SignedHeaders {
  readonly timestampMs: number;
  /** In lower-case hex, as many as a side can have secrets; further ones are ignored. */
  readonly signatures: readonly string[];
}

/**
 * Reads the two headers by their names; null if the time is not within the window around `now` (ms), or nothing has the
 * form of a signature. It takes no body, so that none needs to be read for a message that cannot be valid.
 */
export function readSignedHeaders(
  header: (name: string) => string | undefined,
  now: number,
): SignedHeaders | null {
  const timestampMs = Number(header(timestampHeader) ?? Number.NaN);
  if (!(Math.abs(now - timestampMs) <= signatureWindowMs)) return null;
  const signatures = readSignatures(header(signatureHeader));
  return signatures.length > 0 ? { timestampMs, signatures } : null;
}

/** The signatures in the header, in lower-case hex; empty if there are none. */
export function readSignatures(header: string | undefined): string[] {
  return (header ?? "").split(",", signaturesMax).filter((text) => /^[0-9a-f]{64}$/.test(text));
}

export const internalPaths = {
  diagnosis: "/internal/diagnosis",
  heartbeat: "/internal/heartbeat",
  reports: "/internal/reports",
  shows: "/internal/shows",
  tasks: "/internal/tasks",
} as const;
