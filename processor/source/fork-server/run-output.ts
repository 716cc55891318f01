import type { Socket } from "node:net";
import { readStderr, readStdout, type StdoutBounds } from "../../subprocess/program-output.ts";
import type { OutputSockets } from "./output-sockets.ts";

export interface RunOutput {
  /** Resolves when both streams have ended or were cut off. */
  readonly over: Promise<void>;
  /** A stream broke before its end. */
  isBroken(): boolean;
  stdout(): string | Promise<string>;
  stderr(): string;
  /** Stops reading. */
  cut(): void;
}

/** The output of one run of a fork server. Create it before requesting the run. */
export function openRunOutput(sockets: OutputSockets, id: number, bounds: StdoutBounds): RunOutput {
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const taken: Socket[] = [];
  let closed = 0;
  let isBroken = false;
  let stdout: () => string | Promise<string> = () => "";
  let stderr = () => "";

  sockets.expect(id, (stream, socket) => {
    taken.push(socket);
    socket.once("error", () => (isBroken = true));
    socket.once("close", () => {
      closed += 1;
      if (closed === 2) end();
    });
    if (stream === 1) stdout = readStdout(socket, bounds);
    else stderr = readStderr(socket);
  });
  return {
    over,
    isBroken: () => isBroken,
    stdout: () => stdout(),
    stderr: () => stderr(),
    cut() {
      sockets.forget(id);
      for (const socket of taken) socket.destroy();
      end();
    },
  };
}
