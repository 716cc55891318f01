/**
 * A look at a stream as it passes: yields how many bytes it wants to see, or below 0 how many it leaves out. What is
 * wanted comes whole, and shorter only at the end of the stream; of what is left out nothing comes.
 */
export type ByteWalk<Finding> = Generator<number, Finding, Buffer>;

export interface Walker<Finding> {
  take(chunk: Buffer): void;
  /** The stream is over. */
  end(): Finding;
}

const nothing = Buffer.alloc(0);

/** Leads a walk along a stream that comes in pieces of any size. Throws nothing but what the walk throws. */
export function createWalker<Finding>(walk: ByteWalk<Finding>): Walker<Finding> {
  let step = walk.next();
  /** Bytes to leave out that are still to come. */
  let skipping = 0;
  /** The beginning of what is wanted. */
  let waiting: Buffer = nothing;

  /** Gives the walk what it wants of these bytes, one wish after the other. Returns those that are too few for the next. */
  function feed(bytes: Buffer): Buffer {
    let at = 0;
    for (; step.done !== true && skipping === 0;) {
      const wanted = step.value;
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
      // It outlives the chunk, which may be reused.
      waiting = Buffer.from(rest);
    },
    end() {
      while (step.done !== true) {
        step = walk.next(step.value > 0 ? waiting : nothing);
        waiting = nothing;
      }
      return step.value;
    },
  };
}
