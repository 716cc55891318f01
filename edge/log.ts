import { DrizzleQueryError } from "drizzle-orm";

const levels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof levels)[number];
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** One JSON object per line. Callers choose each field, so that no secret slips in with an object. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A log that adds these fields to every line. */
  with(fields: LogFields): Log;
}

/** A log on standard output, from level `minimum` on; `clock` is in milliseconds since the Unix epoch. */
export function createLog(minimum: LogLevel, clock: () => number, bound: LogFields = {}): Log {
  const write =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (levels.indexOf(level) < levels.indexOf(minimum)) return;
      // One method for all levels: for the others, `wrangler dev` adds a mark and colours to the line.
      console.log(JSON.stringify({ level, time: clock(), message, ...bound, ...fields }));
    };
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    with: (fields) => createLog(minimum, clock, { ...bound, ...fields }),
  };
}

/**
 * What may be logged of an unexpected error: its name, message and stack, never its properties. A failed query's own
 * message contains its parameters, which can be key hashes and clients' URLs; its cause says what went wrong.
 */
export function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: String(error) };
  if (error instanceof DrizzleQueryError) return errorFields(error.cause ?? "A query failed");
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  return { error: error.message, error_name: error.name, cause, stack: error.stack };
}
