import type { Server } from "node:net";

/** The TCP port of a listening server. Throws if it is not listening. */
export function listeningPort(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server listens on no port");
  return address.port;
}
