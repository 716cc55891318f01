import type { Log } from "../../../edge/log.ts";

/** For tests that provoke errors which the service logs. */
export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  with: () => silentLog,
};
