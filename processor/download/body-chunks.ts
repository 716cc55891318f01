import type { Readable } from "node:stream";

const waitingMaxBytes = 1024 * 1024;

/**
 * The chunks of a response body as they arrive. What arrived before the body broke is yielded before its error is
 * thrown: a stream's own iterator drops it, so that a source that breaks often would never get anywhere.
 */
export async function* bodyChunks(body: Readable): AsyncGenerator<Buffer, void, undefined> {
  const waiting: Buffer[] = [];
  let waitingBytes = 0;
  let isOver = false;
  let wake = () => {};

  const keep = (chunk: Buffer) => {
    waiting.push(chunk);
    waitingBytes += chunk.length;
    wake();
  };
  const keepArrived = (chunk: Buffer) => {
    keep(chunk);
    if (waitingBytes > waitingMaxBytes) body.pause();
  };
  const finish = () => {
    // What is read is also emitted to listeners: it must not be kept twice.
    body.off("data", keepArrived);
    for (let chunk: unknown = body.read(); chunk instanceof Buffer; chunk = body.read()) keep(chunk);
    isOver = true;
    wake();
  };
  body.on("data", keepArrived);
  for (const event of ["end", "error", "close"]) body.once(event, finish);
  if (body.destroyed) finish();

  try {
    for (;;) {
      const chunk = waiting.shift();
      if (chunk !== undefined) {
        waitingBytes -= chunk.length;
        if (body.isPaused() && waitingBytes <= waitingMaxBytes) body.resume();
        yield chunk;
      } else if (!isOver) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else if (body.errored !== null) {
        throw body.errored;
      } else if (body.readableEnded) {
        return;
      } else {
        throw new Error("the body was closed before its end");
      }
    }
  } finally {
    body.destroy();
  }
}
