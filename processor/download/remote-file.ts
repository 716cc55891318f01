import { addAbortSignal } from "node:stream";
import { crc32 } from "node:zlib";
import { RangeRefused, SourceChanged } from "../network/network-failure.ts";
import type { Network } from "../network/network.ts";
import { discard, type OpenResponse } from "../network/open-response.ts";
import { JobFailure } from "../pipeline/job.ts";
import { bodyChunks } from "./body-chunks.ts";
import { placeOf, rangeHeaders, type Place } from "./byte-range.ts";
import type { Span } from "./piece.ts";
import { identify, unknownIdentity } from "./remote-identity.ts";
import { afterBeginning, type Beginning } from "./repeated-beginning.ts";

export interface RemoteAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** One HTTP resource, read stretch by stretch; every answer must be of the same one. */
export interface RemoteFile {
  /** Bytes of the whole; null until known. */
  total(): number | null;
  /** True when stretches of it can be asked for. */
  hasRanges(): boolean;
  /**
   * Asks once for what is missing of a span, and gives out the bytes from its position on, moving the position and,
   * once it is known, the end. Ends with the answer, which may be before the span's end. A server that knows no
   * ranges sends the file from its beginning again: what was given out before is compared, not repeated.
   * Rejects as `network.open` does, with SourceChanged, with source_error for an answer that broke or is of another
   * stretch, and with too_large.
   */
  read(span: Span, request: ReadRequest): AsyncGenerator<Buffer, void, undefined>;
  /** The same file is to be had at another address from now on. */
  moveTo(address: RemoteAddress): void;
}

export interface ReadRequest {
  readonly signal: AbortSignal;
  /**
   * False: rejects with HostBusy when there is no connection for it, and with RangeRefused when the server sends the
   * file from its beginning again.
   */
  readonly isNeeded: boolean;
  /** Told when bytes come that were given out before. */
  readonly onRepeated: () => void;
  /** Told when the read begins to wait for a connection, and when it has one. */
  readonly onTurn: (isWaiting: boolean) => void;
  /** Told when others wait for the connection. */
  readonly onWanted: () => void;
}

export interface RemoteAccess {
  readonly network: Network;
  readonly silenceMs: number;
  readonly maxBytes: number;
}

/** A server without ranges can be cut often, and a list of ranges can be long. */
const repetitionsMax = 6;

/** `opened` is an answer that is there already, from the first byte, for the first read. */
export function createRemoteFile(
  address: RemoteAddress,
  { network, silenceMs, maxBytes }: RemoteAccess,
  opened: OpenResponse | null = null,
): RemoteFile {
  let current = address;
  let ready = opened;
  let identity = unknownIdentity;
  /** By what the server says, until it does otherwise. */
  let hasRanges = false;
  let hasAnsweredRange = false;
  /** Some say that they know ranges, and do not. */
  let isRefusingRanges = false;
  let repetitions = 0;
  /** What was given out from the beginning on, kept while that may be needed to tell whether the file is the same. */
  let given = { bytes: 0, checksum: 0 };

  async function ask(span: Span, { signal, isNeeded, onTurn }: ReadRequest): Promise<OpenResponse> {
    const response = ready;
    ready = null;
    if (response !== null) {
      // It was opened under the job's signal, which may abort later than the download's.
      addAbortSignal(signal, response.body);
      return response;
    }
    const range = isRefusingRanges ? {} : rangeHeaders(span, identity.validator);
    const headers = { ...current.headers, ...range };
    return network.open(current.url, { headers, signal, silenceMs, mayWait: isNeeded, onTurn });
  }

  /** Takes an answer for what it is, or throws: it is of another file, or of another stretch. */
  function accept(place: Place, span: Span): void {
    identity = identify(identity, place, span.position);
    hasRanges = place.knowsRanges && !isRefusingRanges;
    hasAnsweredRange ||= place.start > 0;
    const { total } = identity;
    if (total === null && place.knowsRanges && span.end !== null) {
      throw new JobFailure("source_error", "the source does not say how long it is");
    }
    if (total === null) return;
    if (total > maxBytes) throw new JobFailure("too_large");
    span.end = Math.min(span.end ?? total, total);
  }

  /** What comes again before anything new does. */
  function beginningUpTo(position: number, { validator }: Place, isNeeded: boolean): Beginning {
    hasRanges = false;
    repetitions += 1;
    if (!isNeeded) throw new RangeRefused();
    if (repetitions > repetitionsMax) throw new JobFailure("source_error", "the source knows no ranges");
    if (validator !== null && validator === identity.validator) return { bytes: position, checksum: null };
    if (given.bytes === position) return given;
    throw new SourceChanged();
  }

  /** Cut to the span, whose end may come down meanwhile. */
  async function* within(
    span: Span,
    chunks: AsyncIterable<Buffer>,
    answerEnd: number | null,
  ): AsyncGenerator<Buffer, void, undefined> {
    for await (const chunk of chunks) {
      const part = span.end === null ? chunk : chunk.subarray(0, Math.max(0, span.end - span.position));
      if (part.length === 0) return;
      const mayComeAgain = identity.validator === null && !hasAnsweredRange;
      if (mayComeAgain && given.bytes === span.position) {
        given = { bytes: given.bytes + part.length, checksum: crc32(part, given.checksum) };
      }
      span.position += part.length;
      yield part;
      // An answer that ends here too is read to its end, so that its connection can be used again.
      if (span.position === span.end && span.end !== answerEnd) return;
    }
  }

  async function openSpan(span: Span, request: ReadRequest) {
    try {
      const response = await ask(span, request);
      const place = placeOf(response);
      try {
        accept(place, span);
        const isRepeating = place.start < span.position;
        const beginning = isRepeating ? beginningUpTo(span.position, place, request.isNeeded) : null;
        return { response, place, beginning };
      } catch (error) {
        discard(response.body);
        throw error;
      }
    } catch (error) {
      if (error instanceof RangeRefused) {
        isRefusingRanges = true;
        hasRanges = false;
      }
      throw error;
    }
  }

  return {
    total: () => identity.total,
    hasRanges: () => hasRanges,
    async *read(span, request) {
      const { response, place, beginning } = await openSpan(span, request);
      void response.wanted.then(request.onWanted);
      const before = span.position;
      const body = bodyChunks(response.body);
      const chunks = beginning === null ? body : afterBeginning(body, beginning, request.onRepeated);
      yield* within(span, chunks, response.length === null ? null : place.end);
      if (span.position === before) throw new JobFailure("source_error", "the source sent nothing");
      const saysNoLength = place.total === null && place.end === null;
      if (saysNoLength && span.end === null) {
        // A body of unknown length is whole when it ends.
        identity = { ...identity, total: span.position };
        span.end = span.position;
      }
    },
    moveTo: (next) => {
      current = next;
    },
  };
}
