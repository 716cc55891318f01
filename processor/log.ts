import { pino, type DestinationStream, type Logger } from "pino";
import type { Config } from "./config.ts";

export type Log = Logger;

/**
 * The node's log: one JSON object per line on standard output. Callers choose each field and never pass a task; should
 * one slip in, fields with credentials are removed here.
 */
export function createLog(level: Config["logLevel"], nodeId: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: { node_id: nodeId },
    messageKey: "message",
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
    redact: { paths: ["storage", "*.storage", "*[*].storage", "headers", "*.headers"], remove: true },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** What may be logged of an error: name, message, stack and cause, never its other properties. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  return { name, message, stack, ...(cause === undefined ? {} : { cause: describeError(cause) }) };
}
