import type { FastifyReply, FastifyRequest } from "fastify";
import { signatureWindowMs } from "../../contracts/limits.ts";
import { signatureHeader, timestampHeader } from "../../contracts/signed-message.ts";
import { isSignedWith, type Message, messageDigest } from "../message-signature.ts";
import { createSeenMessages } from "./seen-messages.ts";

/**
 * Answers 401 to a request that the edge did not sign within the time window, or that was seen before. The body must be
 * available as bytes. Messages are remembered only by this process: one replayed to another node, or after a restart,
 * no longer carries a valid claim.
 */
export function requireEdgeSignature(secrets: readonly string[], edgeNow: () => number) {
  const seen = createSeenMessages();
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const now = edgeNow();
    const message = messageOf(request);
    const isFresh = Math.abs(now - message.timestampMs) <= signatureWindowMs;
    const isFromEdge = isFresh && isSignedWith(secrets, message, String(request.headers[signatureHeader]));
    if (isFromEdge && seen.isFirst(messageDigest(message), now)) return undefined;
    return reply.code(401).send({ error: "Invalid signature" });
  };
}

function messageOf({ method, url, headers, body }: FastifyRequest): Message {
  return {
    direction: "edge-to-node",
    method,
    path: url,
    timestampMs: Number(headers[timestampHeader] ?? Number.NaN),
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
  };
}
