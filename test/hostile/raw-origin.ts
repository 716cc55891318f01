import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { listeningPort } from "../../processor/network/listening-port.ts";

/** What is written to a connection once its request has arrived, byte for byte. */
export type RawAnswer = string | Buffer | ((socket: Socket) => void | Promise<void>);

/** A host that answers every request with bytes that need not be HTTP. */
export interface RawOrigin {
  readonly url: string;
  answer: RawAnswer;
  /** How many there have been. */
  connections(): number;
  close(): Promise<void>;
}

export async function startRawOrigin(): Promise<RawOrigin> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    socket.once("data", () => {
      const { answer } = origin;
      if (typeof answer !== "function") socket.end(answer);
      else Promise.resolve(answer(socket)).catch(() => socket.destroy());
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin: RawOrigin = {
    url: `http://127.0.0.1:${listeningPort(server)}`,
    answer: "",
    connections: () => connections,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
  return origin;
}

/** Nobody should read as much; a reader that does must not fill the machine's memory. */
const floodMaxBytes = 64 * 1024 * 1024;

/** Writes a piece repeatedly, as fast as the reader takes it, until the connection is gone or has got 64 MiB. */
export async function flood(socket: Socket, piece: string): Promise<void> {
  const many = piece.repeat(Math.ceil(16_384 / piece.length));
  while (!socket.destroyed && socket.bytesWritten < floodMaxBytes) {
    if (!socket.write(many, "latin1")) await Promise.race([once(socket, "drain"), once(socket, "close")]);
  }
  socket.end();
}
