import type { Log } from "../../../edge/log.ts";

/** For a test that makes something go wrong which the service logs. */
export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  with: () => silentLog,
};
