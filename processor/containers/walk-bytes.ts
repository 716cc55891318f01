/**
 * Looks at a stream as it passes. Yields how many bytes it wants to see, or a negative number of bytes to skip. It
 * receives all the bytes it wants, fewer only at the end of the stream, and an empty buffer for skipped ones. If it
 * wants bytes in `Pieces`, it receives the next piece as it arrives, empty only at the end of the stream.
 */
export type ByteWalk<Finding> = Generator<number | Pieces, Finding, Buffer>;

interface Pieces {
  readonly upTo: number;
}

export interface Walker<Finding> {
  take(chunk: Buffer): void;
  /** Call when the stream is over. */
  end(): Finding;
}

const nothing = Buffer.alloc(0);

/** Runs a walk along a stream that arrives in pieces of any size. Throws only what the walk throws. */
export function createWalker<Finding>(walk: ByteWalk<Finding>): Walker<Finding> {
  let step = walk.next();
  /** Bytes still to be skipped. */
  let skipping = 0;
  /** The beginning of what is wanted. */
  let waiting: Buffer = nothing;

  /**
   * Gives the walk what it wants from these bytes, request by request. Returns the rest, which is too short for the
   * next one.
   */
  function feed(bytes: Buffer): Buffer {
    let at = 0;
    for (; step.done !== true && skipping === 0;) {
      const wanted = step.value;
      if (typeof wanted !== "number") {
        if (at === bytes.length) return nothing;
        const piece = bytes.subarray(at, at + wanted.upTo);
        step = walk.next(piece);
        at += piece.length;
        continue;
      }
      const end = at + Math.abs(wanted);
      if (wanted > 0 && end > bytes.length) return bytes.subarray(at);
      skipping = Math.max(0, end - bytes.length);
      step = walk.next(wanted > 0 ? bytes.subarray(at, end) : nothing);
      at = Math.min(end, bytes.length);
    }
    return nothing;
  }

  return {
    take(chunk) {
      const skipped = Math.min(skipping, chunk.length);
      skipping -= skipped;
      const bytes = chunk.subarray(skipped);
      const rest = feed(waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes]));
      // Copied, because it outlives the chunk, which may be reused.
      waiting = Buffer.from(rest);
    },
    end() {
      while (step.done !== true) {
        step = walk.next(isWanted(step.value) ? waiting : nothing);
        waiting = nothing;
      }
      return step.value;
    },
  };
}

function isWanted(wish: number | Pieces): boolean {
  return typeof wish !== "number" || wish > 0;
}

/** Passes this many bytes, and shows them in pieces of any size. False if the stream ends earlier. */
export function* takeAll(bytes: number, see: (piece: Buffer) => void): ByteWalk<boolean> {
  for (let left = bytes; left > 0;) {
    const piece = yield { upTo: left };
    if (piece.length === 0) return false;
    see(piece);
    left -= piece.length;
  }
  return true;
}

/** Passes the expected bytes. False if there are others, or the stream ends earlier. */
export function* takeExactly(expected: Buffer): ByteWalk<boolean> {
  let at = 0;
  let isSame = true;
  const isThere = yield* takeAll(expected.length, (piece) => {
    isSame &&= piece.equals(expected.subarray(at, at + piece.length));
    at += piece.length;
  });
  return isThere && isSame;
}

/** Skips this many bytes. False if the stream ends earlier. */
export function* leaveOut(bytes: number): ByteWalk<boolean> {
  if (bytes > 1) yield 1 - bytes;
  return bytes === 0 || (yield 1).length === 1;
}

/** The same walk, with a look at all its bytes, including those it skips. */
export function* watched<Finding>(walk: ByteWalk<Finding>, see: (piece: Buffer) => void): ByteWalk<Finding> {
  let step = walk.next();
  while (step.done !== true) {
    const wish = step.value;
    if (typeof wish === "number" && wish <= 0) {
      yield* takeAll(-wish, see);
      step = walk.next(nothing);
    } else {
      const bytes = yield wish;
      see(bytes);
      step = walk.next(bytes);
    }
  }
  return step.value;
}

/** Runs a walk through the given bytes, as far as they go: what it finds, or how many bytes it needs at least. */
export function walkThrough<Finding>(
  walk: ByteWalk<Finding>,
  bytes: Buffer,
): { readonly finding: Finding } | { readonly wantedBytes: number } {
  let at = 0;
  let step = walk.next();
  while (step.done !== true) {
    const wish = step.value;
    const end =
      at + (typeof wish === "number" ? Math.abs(wish) : Math.min(wish.upTo, Math.max(1, bytes.length - at)));
    if (isWanted(wish) && end > bytes.length) return { wantedBytes: end };
    step = walk.next(isWanted(wish) ? bytes.subarray(at, end) : nothing);
    at = end;
  }
  return { finding: step.value };
}

/** Bytes read at a time for requests in pieces. */
const readBytes = 64 * 1024;

/** Runs a walk along something that can be read at any offset; reading may wait for what has not arrived yet. */
export async function walkAlong<Finding>(
  walk: ByteWalk<Finding>,
  readAt: (offset: number, bytes: number) => Promise<Buffer>,
): Promise<Finding> {
  let at = 0;
  let step = walk.next();
  while (step.done !== true) {
    const wish = step.value;
    const bytes = typeof wish === "number" ? Math.abs(wish) : Math.min(wish.upTo, readBytes);
    const read = isWanted(wish) ? await readAt(at, bytes) : nothing;
    at += isWanted(wish) ? read.length : bytes;
    step = walk.next(read);
  }
  return step.value;
}
