import type { Server } from "node:net";

/** The TCP port of a server that listens. Throws when it does not. */
export function listeningPort(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server listens on no port");
  return address.port;
}
