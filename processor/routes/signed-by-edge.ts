import type { FastifyReply, FastifyRequest } from "fastify";
import { readSignedHeaders, type SignedHeaders } from "../../contracts/signed-message.ts";
import { answerSignatureHeader, isSignedWith, type Message, messageDigest } from "../message-signature.ts";
import { createNewcomers } from "./newcomers.ts";
import { createSeenMessages } from "./seen-messages.ts";

/** With bodies of the largest size, 32 MiB of memory. */
const newcomersMax = 32;

/**
 * Hooks that sign answers, and answer 401 to a request that the edge did not sign within the time window, or that was seen before. The
 * first one looks at the headers, so that most of what anyone else sends is not even read, and bounds how many bodies
 * may be on their way; the second one needs the body as bytes. Messages are remembered only by this process: one
 * replayed to another node, or after a restart, no longer carries a valid claim.
 */
export function signedByEdge(secrets: readonly string[], edgeNow: () => number) {
  const authentic = new WeakMap<FastifyRequest, Message>();
  const seen = createSeenMessages();
  const newcomers = createNewcomers(newcomersMax);

  return {
    onRequest: async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
      if (signedHeadersOf(request, edgeNow()) === null) return refuse(reply);
      newcomers.enter(request.raw);
      reply.raw.once("close", () => newcomers.leave(request.raw));
      return undefined;
    },
    preHandler: async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
      newcomers.leave(request.raw);
      const now = edgeNow();
      const signed = signedHeadersOf(request, now);
      if (signed === null) return refuse(reply);
      const message = messageOf(request, signed);
      const isFromEdge = isSignedWith(secrets, message, signed.signatures);
      if (!isFromEdge || !seen.isFirst(messageDigest(message), now)) return refuse(reply);
      authentic.set(request, message);
      return undefined;
    },
    /** Signs the answers to these requests, but for streams. */
    onSend: async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
      const message = authentic.get(request);
      if (message !== undefined && typeof payload === "string")
        reply.headers(
          answerSignatureHeader(
            { request: message, status: reply.statusCode, body: Buffer.from(payload) },
            secrets,
          ),
        );
      return payload;
    },
  };
}

function signedHeadersOf({ headers }: FastifyRequest, now: number): SignedHeaders | null {
  return readSignedHeaders((name) => headers[name]?.toString(), now);
}

function messageOf({ method, url, body }: FastifyRequest, { timestampMs }: SignedHeaders): Message {
  return {
    direction: "edge-to-node",
    method,
    path: url,
    timestampMs,
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
  };
}

function refuse(reply: FastifyReply): FastifyReply {
  return reply.code(401).send({ error: "Invalid signature" });
}
