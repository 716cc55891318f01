import type { FastifyReply, FastifyRequest } from "fastify";
import { signatureWindowMs } from "../../contracts/limits.ts";
import { signatureHeader, timestampHeader } from "../../contracts/signed-message.ts";
import { isSignedWith } from "../message-signature.ts";

/** Answers 401 to a request that the edge did not sign within the window. The body must be there as bytes. */
export function requireEdgeSignature(secrets: readonly string[], edgeNow: () => number) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (isFromEdge(request, secrets, edgeNow())) return undefined;
    return reply.code(401).send({ error: "Invalid signature" });
  };
}

function isFromEdge(request: FastifyRequest, secrets: readonly string[], edgeNowMs: number): boolean {
  const signature = request.headers[signatureHeader];
  const timestampMs = Number(request.headers[timestampHeader] ?? Number.NaN);
  const isFresh = Math.abs(edgeNowMs - timestampMs) <= signatureWindowMs;
  if (typeof signature !== "string" || !isFresh) return false;
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const { method, url } = request;
  return isSignedWith(
    secrets,
    { direction: "edge-to-node", method, path: url, timestampMs, body },
    signature,
  );
}
