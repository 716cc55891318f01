import { createServer, type Server } from "node:net";
import { Problem } from "../problem.ts";
import { systemErrorCode } from "../system-error.ts";

export const localHost = "127.0.0.1";

/** Throws a Problem that names `variable` unless this machine lets us listen on the port. */
export async function requireFreePort(port: number, variable: string): Promise<void> {
  try {
    const server = await listen(port);
    await close(server);
  } catch (error) {
    const reason = reasons[systemErrorCode(error) ?? ""];
    if (!reason) throw error;
    throw new Problem(`Port ${port} ${reason}. Choose another one with ${variable}=<port>.`);
  }
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "is in use by another program",
  EACCES: "needs rights that this user does not have",
};

/** `count` different ports that are free now. */
export async function findFreePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listen(0)));
  const ports = servers.map((server) => portOf(server));
  await Promise.all(servers.map(close));
  return ports;
}

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ port, host: localHost, exclusive: true }, () => resolve(server));
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("The server does not listen on a port");
  return address.port;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
