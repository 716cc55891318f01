import { openFormat } from "../download/open-format.ts";
import type { FoundSource } from "./find-source.ts";
import type { JobContext } from "./job-context.ts";

/** One format of the source on its way to the node; its beginning may be looked at before it is read. */
export interface SourceStream {
  /** Exact length where the source has said it. */
  readonly totalBytes: () => number | null;
  /**
   * The first bytes: as many as `enough` wants, who is asked again of what it wanted, or all there are. They are kept
   * in memory until they are read.
   */
  head(enough: (head: Buffer) => number | null): Promise<Buffer>;
  /** All bytes from the first on, once. Reading slower slows the source. */
  chunks(): AsyncGenerator<Buffer, void, undefined>;
  /** Whether somebody has begun to read, or nobody can any more. */
  isOver(): boolean;
  /** Ends the stream; who is reading it gets the error. */
  stop(error: unknown): void;
  /** Lets go of a stream that is not read to its end. Resolves when nothing of it is under way. */
  close(): Promise<void>;
}

/**
 * Opens a format of the source, by its place among those that are fetched. The first look at a direct file is part of
 * the first stream alone; `isFirst` says which that is.
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
  const { chunks, totalBytes } = openFormat(
    format,
    { ...source, firstLook: isFirst ? source.firstLook : null },
    {
      ...context,
      limits: task.limits,
      signal: AbortSignal.any([context.signal, stopped.signal]),
      onBytes: (received, total) => meter.fetched(name, received, total),
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
    async head(enough) {
      for (let head = await keep(0); ;) {
        const wanted = enough(head);
        if (wanted === null || wanted <= head.length) return head;
        head = await keep(wanted);
        if (head.length < wanted) return head;
      }
    },
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
