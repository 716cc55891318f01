import { Agent, buildConnector } from "undici";
import type { AddressGuard } from "./address-guard.ts";

const connectTimeoutMs = 20_000;
/** Room for a redirect to the longest address, and everything else. */
export const headersMaxBytes = 64 * 1024;

/** An undici dispatcher that connects to no forbidden address, whatever a name resolves to at that moment. */
export function createGuardedAgent(guard: AddressGuard): Agent {
  const connect = buildConnector({ lookup: guard.lookup, timeout: connectTimeoutMs, allowH2: false });
  return new Agent({
    maxHeaderSize: headersMaxBytes,
    connect: (options, callback) => {
      try {
        guard.checkLiteral(options.hostname);
      } catch (error) {
        callback(error instanceof Error ? error : new Error(String(error)), null);
        return;
      }
      connect(options, callback);
    },
  });
}
