import { once } from "node:events";
import { createServer, type Socket } from "node:net";

/**
 * A connection starts with the id of its run (32 bits) and what it carries: 1 for standard output, 2 for standard
 * error.
 */
const headerBytes = 5;

export type TakeOutput = (stream: 1 | 2, socket: Socket) => void;

/** Receives the output of a fork server's runs: a unix socket, with one connection per stream. */
export interface OutputSockets {
  readonly path: string;
  /** Passes on a run's connections until it is forgotten, which closes them. */
  expect(id: number, take: TakeOutput): void;
  forget(id: number): void;
  close(): void;
}

/** Rejects with the system's error. */
export async function openOutputSockets(path: string): Promise<OutputSockets> {
  const expected = new Map<number, TakeOutput>();
  const server = createServer((socket) => {
    // The reader notices that it was cut off.
    socket.on("error", () => socket.destroy());
    socket.on("readable", function readHeader() {
      const header: Buffer | null = socket.read(headerBytes);
      if (header === null) return;
      socket.off("readable", readHeader);
      const stream = header.length === headerBytes ? header.readUInt8(4) : 0;
      const take = stream === 0 ? undefined : expected.get(header.readUInt32BE(0));
      if (take === undefined || (stream !== 1 && stream !== 2)) socket.destroy();
      else take(stream, socket);
    });
  });
  server.listen({ path });
  await once(server, "listening");
  return {
    path,
    expect: (id, take) => void expected.set(id, take),
    forget: (id) => void expected.delete(id),
    close: () => void server.close(),
  };
}
