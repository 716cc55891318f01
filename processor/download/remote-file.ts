import { addAbortSignal } from "node:stream";
import { crc32 } from "node:zlib";
import { RangeRefused, SourceChanged, SourceDown } from "../network/network-failure.ts";
import type { Network } from "../network/network.ts";
import { discard, type OpenResponse } from "../network/open-response.ts";
import { JobFailure } from "../pipeline/job.ts";
import { bodyChunks } from "./body-chunks.ts";
import { placeOf, rangeHeaders, type Place } from "./byte-range.ts";
import type { Span } from "./piece.ts";
import { createRecentBytes } from "./recent-bytes.ts";
import { identify, isOfMirror, unknownIdentity, withValidator } from "./remote-identity.ts";
import { afterBeginning, type Beginning } from "./repeated-beginning.ts";

export interface RemoteAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * One HTTP resource, read range by range; every response has to be about the same one. Where its address leads to another
 * one, all of it comes from there as long as that works. A server that calls the file differently, but says that it is as
 * long, has to have the same bytes as those that arrived last.
 */
export interface RemoteFile {
  /** Size of the whole in bytes; null until known. */
  total(): number | null;
  /** True if ranges of it can be requested. */
  hasRanges(): boolean;
  /**
   * Requests the missing part of a span once, and yields its bytes, advancing the position and, once it is known,
   * setting the end. Ends with the response, possibly before the span's end. A server without range support sends the
   * file from its beginning again: what was yielded before is compared, not repeated. Rejects like `network.open`, with
   * SourceChanged, with source_error for a response that broke or is for another range, and with too_large.
   */
  read(span: Span, request: ReadRequest): AsyncGenerator<Buffer, void, undefined>;
  /** The same file is available at another address from now on. */
  moveTo(address: RemoteAddress): void;
  /** The next response may be about another version of the file. */
  forget(): void;
}

export interface ReadRequest {
  readonly signal: AbortSignal;
  /**
   * If false, rejects with HostBusy when there is no connection for it, and with RangeRefused when the server sends the
   * file from its beginning again.
   */
  readonly isNeeded: boolean;
  /** Called with the number of bytes that arrive and were yielded before. */
  readonly onRepeated: (bytes: number) => void;
  /** Called when the read starts waiting for a connection, and when it has one. */
  readonly onTurn: (isWaiting: boolean) => void;
  /** Called when others are waiting for the connection. */
  readonly onWanted: () => void;
}

export interface RemoteAccess {
  readonly network: Network;
  readonly silenceMs: number;
  readonly maxBytes: number;
}

/** A server without ranges may be cut off often, and a list of ranges can be long. */
const repetitionsMax = 6;

/** How often a request may reach yet another server. */
const mirrorsMax = 6;
/** Fewer bytes do not tell whether two files are the same. */
const tellingBytes = 4096;

/** `opened` is an existing response, from the first byte, to use for the first read. */
export function createRemoteFile(
  address: RemoteAddress,
  { network, silenceMs, maxBytes }: RemoteAccess,
  opened: OpenResponse | null = null,
): RemoteFile {
  let current = address;
  /** Where the address led to, until that fails. */
  let final: RemoteAddress | null = null;
  let ready = opened;
  const recent = createRecentBytes();
  let identity = unknownIdentity;
  /** By what the server says, until it behaves differently. */
  let hasRanges = false;
  let hasAnsweredRange = false;
  /** Some servers claim to support ranges, and do not. */
  let isRefusingRanges = false;
  let repetitions = 0;
  /** What was yielded from the beginning on, kept while it may be needed to tell whether the file is the same. */
  let given = { bytes: 0, checksum: 0 };

  async function ask(span: Span, { signal, isNeeded, onTurn }: ReadRequest): Promise<OpenResponse> {
    const response = ready;
    ready = null;
    if (response !== null) {
      // It was opened under the job's signal, which may abort later than the download's.
      addAbortSignal(signal, response.body);
      return response;
    }
    // A server that knows only another name of the file would send all of it.
    const [validator = null, ...others] = identity.validators;
    const range = isRefusingRanges ? {} : rangeHeaders(span, others.length > 0 ? null : validator);
    return openAt(final ?? current, range, { signal, isNeeded, onTurn });
  }

  async function openAt(
    at: RemoteAddress,
    range: Readonly<Record<string, string>>,
    { signal, isNeeded, onTurn }: Pick<ReadRequest, "signal" | "isNeeded" | "onTurn">,
  ): Promise<OpenResponse> {
    const headers = { ...at.headers, ...range };
    try {
      const response = await network.open(at.url, { headers, signal, silenceMs, mayWait: isNeeded, onTurn });
      if (response.url !== at.url) {
        const { range: _range, "if-range": _ifRange, ...sent } = response.sent;
        final = { url: response.url, headers: sent };
      }
      return response;
    } catch (error) {
      if (at !== final || !isOfDeadAddress(error)) throw error;
      final = null;
      if (!isNeeded) throw error;
      return openAt(current, range, { signal, isNeeded, onTurn });
    }
  }

  /** Whether a server that calls the file differently has the same bytes. Throws SourceChanged if not. */
  async function compare(request: ReadRequest): Promise<void> {
    const { start, bytes } = recent.sample();
    if (bytes.length < tellingBytes) throw new SourceChanged();
    const range = { range: `bytes=${start}-${start + bytes.length - 1}` };
    const response = await openAt(final ?? current, range, request);
    const place = placeOf(response);
    if (place.start !== start || place.total !== identity.total) {
      discard(response.body);
      throw new SourceChanged();
    }
    let compared = 0;
    for await (const chunk of bodyChunks(response.body)) {
      const same = bytes.subarray(compared, compared + chunk.length);
      if (!chunk.subarray(0, same.length).equals(same)) throw new SourceChanged();
      compared += same.length;
      request.onRepeated(chunk.length);
      if (compared === bytes.length) break;
    }
    if (compared < bytes.length) throw new JobFailure("source_error", "the connection broke");
    identity = withValidator(identity, place);
  }

  /** Accepts a response, or throws if it is about another file or another range. */
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

  /** What arrives again before anything new does. */
  function beginningUpTo(position: number, { validator }: Place, isNeeded: boolean): Beginning {
    hasRanges = false;
    repetitions += 1;
    if (!isNeeded) throw new RangeRefused();
    if (repetitions > repetitionsMax)
      throw new JobFailure("source_error", "the source does not support range requests");
    if (validator !== null && identity.validators.includes(validator))
      return { bytes: position, checksum: null };
    if (given.bytes === position) return given;
    throw new SourceChanged();
  }

  /** Limited to the span, whose end may be lowered in the meantime. */
  async function* within(
    span: Span,
    chunks: AsyncIterable<Buffer>,
    answerEnd: number | null,
  ): AsyncGenerator<Buffer, void, undefined> {
    for await (const chunk of chunks) {
      const part = span.end === null ? chunk : chunk.subarray(0, Math.max(0, span.end - span.position));
      if (part.length === 0) return;
      const mayComeAgain = identity.validators.length === 0 && !hasAnsweredRange;
      if (mayComeAgain && given.bytes === span.position) {
        given = { bytes: given.bytes + part.length, checksum: crc32(part, given.checksum) };
      }
      recent.keep(span.position, part);
      span.position += part.length;
      yield part;
      // A response that also ends here is read to its end, so that its connection can be reused.
      if (span.position === span.end && span.end !== answerEnd) return;
    }
  }

  async function openSpan(span: Span, request: ReadRequest) {
    try {
      let response = await ask(span, request);
      let place = placeOf(response);
      for (let mirrors = 0; isOfMirror(identity, place) && mirrors < mirrorsMax; mirrors += 1) {
        discard(response.body);
        await compare(request);
        response = await ask(span, request);
        place = placeOf(response);
      }
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
        // A body of unknown length is complete when it ends.
        identity = { ...identity, total: span.position };
        span.end = span.position;
      }
    },
    moveTo: (next) => {
      current = next;
      final = null;
    },
    forget() {
      identity = unknownIdentity;
      given = { bytes: 0, checksum: 0 };
    },
  };
}

/** The address before the redirect may lead to another one that works. */
function isOfDeadAddress(error: unknown): boolean {
  if (error instanceof SourceDown) return true;
  return (
    error instanceof JobFailure &&
    /^(video_unavailable|sign_in_required|connection_timeout)$/.test(error.code)
  );
}
