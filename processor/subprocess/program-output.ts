import { createWriteStream, rmSync } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

export interface StdoutBounds {
  readonly maxBytes: number;
  /** Called once there is more than that. */
  readonly onFlood: () => void;
  /** Called with each line as it arrives; nothing is kept then. */
  readonly onLine?: ((line: string) => void) | undefined;
  /** The file in which it is saved; nothing is kept then. */
  readonly path?: string | undefined;
}

const stderrTailBytes = 16 * 1024;

/**
 * Reads a program's standard output; the returned function gives it once the stream has ended, and rejects if it could
 * not be saved.
 */
export function readStdout(
  stream: Readable,
  { maxBytes, onFlood, onLine, path }: StdoutBounds,
): () => string | Promise<string> {
  const kept = () => (path === undefined ? keepAll(stream) : saveAll(stream, path));
  const text = onLine ? splitLines(stream, onLine) : kept();
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    const hadRoom = bytes <= maxBytes;
    bytes += chunk.length;
    if (hadRoom && bytes > maxBytes) onFlood();
  });
  return text;
}

/** Reads a program's standard error; the returned function gives the last 16 KiB of it. */
export function readStderr(stream: Readable): () => string {
  let tail = Buffer.alloc(0);
  stream.on("data", (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-stderrTailBytes);
  });
  return () => tail.toString();
}

function keepAll(stream: Readable): () => string {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}

function saveAll(stream: Readable, path: string): () => Promise<string> {
  // An earlier run may still be writing to a file of this name.
  rmSync(path, { force: true });
  const saved = pipeline(stream, createWriteStream(path)).then(() => "");
  // Whoever asks for the output gets the error.
  saved.catch(() => {});
  return () => saved;
}

function splitLines(stream: Readable, onLine: (line: string) => void): () => string {
  let rest = "";
  const decoder = new TextDecoder();
  stream.on("data", (chunk: Buffer) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/);
    rest = lines.pop() ?? "";
    lines.forEach(onLine);
  });
  return () => {
    if (rest !== "") onLine(rest);
    return "";
  };
}
