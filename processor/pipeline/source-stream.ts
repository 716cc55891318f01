import { openFormat } from "../download/open-format.ts";
import type { FoundSource } from "./find-source.ts";
import type { JobContext } from "./job-context.ts";

/** One format of the source on its way to the node. Its beginning can be inspected before it is read. */
export interface SourceStream {
  /** The exact length, if the source has stated it. */
  readonly totalBytes: () => number | null;
  /** The minimum duration in seconds according to the list of its segments; null without one, or before anything was read. */
  readonly listedSeconds: () => number | null;
  /**
   * The first bytes: `enough` says how many it wants, and is asked again once it has them, until it is satisfied or the
   * stream ends. They are kept in memory until they are read.
   */
  head(enough: (head: Buffer) => number | null): Promise<Buffer>;
  /** All bytes from the first on; can be called once. Reading slowly slows the source down. */
  chunks(): AsyncGenerator<Buffer, void, undefined>;
  /** Rises whenever bytes arrive at the node, whether or not they can be read yet. */
  readonly arrivals: () => number;
  /** Whether reading has begun, or is no longer possible. */
  isOver(): boolean;
  /** Ends the stream; its reader gets the error. */
  stop(error: unknown): void;
  /** Abandons a stream that is not read to its end. Resolves when nothing of it is still running. */
  close(): Promise<void>;
}

/**
 * Opens a format of the source by its index among the downloaded ones. Only the first stream may use the first look at
 * a direct file; `isFirst` marks it.
 */
export function openSourceStream(
  { source, formats }: FoundSource,
  index: number,
  context: JobContext,
  isFirst: boolean,
): SourceStream {
  const format = formats[index];
  if (format === undefined) throw new Error(`there is no format ${index}`);
  const { meter, task } = context;
  const name = `source-${index}`;
  meter.fetched(name, 0, format.bytes);
  const stopped = new AbortController();
  let arrivals = 0;
  const { chunks, totalBytes, listedSeconds } = openFormat(
    format,
    { ...source, firstLook: isFirst ? source.firstLook : null },
    {
      ...context,
      limits: task.limits,
      signal: AbortSignal.any([context.signal, stopped.signal]),
      onBytes: (received, total) => {
        arrivals += 1;
        meter.fetched(name, received, total);
      },
    },
  );
  const iterator = chunks[Symbol.asyncIterator]();
  const kept: Buffer[] = [];
  let isOver = false;

  async function keep(bytes: number): Promise<Buffer> {
    let length = kept.reduce((sum, chunk) => sum + chunk.length, 0);
    while (length < bytes) {
      const next = await iterator.next();
      if (next.done === true) break;
      kept.push(next.value);
      length += next.value.length;
    }
    return Buffer.concat(kept);
  }

  return {
    totalBytes,
    listedSeconds,
    async head(enough) {
      for (let head = await keep(0); ;) {
        const wanted = enough(head);
        if (wanted === null || wanted <= head.length) return head;
        head = await keep(wanted);
        if (head.length < wanted) return head;
      }
    },
    arrivals: () => arrivals,
    isOver: () => isOver,
    async *chunks() {
      isOver = true;
      try {
        for (let chunk = kept.shift(); chunk !== undefined; chunk = kept.shift()) yield chunk;
        for (let next = await iterator.next(); next.done !== true; next = await iterator.next())
          yield next.value;
      } finally {
        await iterator.return?.();
      }
    },
    stop: (error) => stopped.abort(error),
    async close() {
      isOver = true;
      stopped.abort(new Error("the stream is not needed any more"));
      await iterator.return?.();
    },
  };
}
