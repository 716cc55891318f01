import type { FastifyRequest } from "fastify";
import { requestIdHeader } from "../../contracts/request-id.ts";
import type { Log } from "../log.ts";

const requestIdMaxCharacters = 64;

/** A log whose lines carry the id of the edge's request, if it sent one. */
export function logOf({ headers }: FastifyRequest, log: Log): Log {
  const requestId = headers[requestIdHeader];
  if (typeof requestId !== "string" || requestId.length > requestIdMaxCharacters) return log;
  return log.child({ request_id: requestId });
}
