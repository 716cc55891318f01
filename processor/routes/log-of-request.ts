import type { FastifyRequest } from "fastify";
import { requestIdHeader } from "../../contracts/request-id.ts";
import type { Log } from "../log.ts";

const requestIdMaxCharacters = 64;

/** A log that says in each line on behalf of which request the edge asked, where it said so. */
export function logOf({ headers }: FastifyRequest, log: Log): Log {
  const requestId = headers[requestIdHeader];
  if (typeof requestId !== "string" || requestId.length > requestIdMaxCharacters) return log;
  return log.child({ request_id: requestId });
}
