/** A stream that is read in ranges, whatever pieces it arrives in. */
export interface StreamBytes {
  /** Bytes read so far. */
  position(): number;
  /** The next bytes, in one piece; fewer at the end of the stream. */
  take(bytes: number): Promise<Buffer>;
  /** The next bytes as they arrive; fewer at the end of the stream. */
  pass(bytes: number): AsyncGenerator<Buffer, void, undefined>;
}

export function streamBytes(chunks: AsyncIterable<Buffer>): StreamBytes {
  const iterator = chunks[Symbol.asyncIterator]();
  let waiting: Buffer = Buffer.alloc(0);
  let position = 0;

  async function* pass(bytes: number): AsyncGenerator<Buffer, void, undefined> {
    for (let left = bytes; left > 0;) {
      if (waiting.length === 0) {
        const next = await iterator.next();
        if (next.done === true) return;
        waiting = next.value;
      }
      const passed = waiting.subarray(0, left);
      waiting = waiting.subarray(passed.length);
      position += passed.length;
      left -= passed.length;
      yield passed;
    }
  }

  return {
    position: () => position,
    pass,
    async take(bytes) {
      const taken: Buffer[] = [];
      for await (const chunk of pass(bytes)) taken.push(chunk);
      return Buffer.concat(taken);
    },
  };
}
