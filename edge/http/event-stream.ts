import { errorFields, type Log } from "../log.ts";

/** One event of a stream; its reader may name the id in `Last-Event-ID` when it reconnects. */
export interface ServerSentEvent {
  readonly id: string;
  readonly data: object;
}

const encoder = new TextEncoder();

/**
 * Server-Sent Events as a body; null becomes a comment, which keeps the connection open. `begin` is called when the
 * first event is requested; its signal aborts when the reader goes away. If the events reject, the body ends, and its
 * reader reconnects.
 */
export function eventStream(
  begin: (signal: AbortSignal) => AsyncGenerator<ServerSentEvent | null>,
  log: Log,
): ReadableStream<Uint8Array> {
  const gone = new AbortController();
  let events: AsyncGenerator<ServerSentEvent | null> | null = null;
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      try {
        events ??= begin(gone.signal);
        const { done, value } = await events.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value === null ? ":\n\n" : textOf(value)));
      } catch (error) {
        log.warn("An event stream broke off", errorFields(error));
        controller.close();
      }
    },
    cancel() {
      gone.abort();
    },
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}

/** JSON contains no line breaks of its own. */
function textOf({ id, data }: ServerSentEvent): string {
  return `id: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
}
