import { randomInt } from "node:crypto";
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

/**
 * Below the ports that systems assign to connections and to servers without a fixed port: one that is free here stays
 * free.
 */
const quietPorts = { first: 20_000, end: 30_000 };

/** `count` different free ports that nobody gets without asking for them. */
export async function findFreePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = randomInt(quietPorts.first, quietPorts.end);
    if (!found.has(port) && (await isFree(port))) found.add(port);
  }
  return [...found];
}

async function isFree(port: number): Promise<boolean> {
  try {
    await close(await listen(port));
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EADDRINUSE") return false;
    throw error;
  }
}

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ port, host: localHost, exclusive: true }, () => resolve(server));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
