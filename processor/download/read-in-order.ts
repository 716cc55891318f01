import type { ByteBudget } from "../memory/byte-budget.ts";
import type { Retries } from "../network/retries.ts";
import { createSourcePace } from "../network/source-pace.ts";
import { JobFailure } from "../pipeline/job.ts";
import { createBell } from "./bell.ts";
import { PieceCut, type Piece, type Pieces } from "./piece.ts";
import { createPieceLine, type PieceState } from "./piece-line.ts";

export interface Reading {
  readonly signal: AbortSignal;
  /** How long no connection may deliver a byte while bytes are wanted. */
  readonly silenceMs: number;
  readonly maxBytes: number;
  /** For data that cannot be passed on yet. */
  readonly budget: ByteBudget;
  readonly retries: Retries;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  /** Called with the total received so far. */
  readonly onBytes: (received: number) => void;
  /** Finds new addresses for the same pieces. */
  readonly renew: () => Promise<void>;
}

/** A source that sends less in a response than it was asked for must not be asked ever faster. */
const shortAnswerBytes = 64 * 1024;
/** An address that has expired may do so again, as often as it likes if each brings as many bytes as are worth a look. */
const vainRenewalsMax = 2;
const worthRenewingBytes = 64 * 1024;

/**
 * The bytes of all pieces, each once and in order, over as many connections as make it faster. A broken connection is
 * resumed after its last byte, and an incomplete piece is requested again. Rejects with JobFailure, or the signal's
 * reason; by the time it has ended, nothing is running any more.
 */
export async function* readInOrder(
  pieces: Pieces,
  { signal: outerSignal, silenceMs, maxBytes, budget, retries, now, onBytes, renew }: Reading,
): AsyncGenerator<Buffer, void, undefined> {
  const ending = new AbortController();
  const signal = AbortSignal.any([outerSignal, ending.signal]);
  const bell = createBell();
  const pace = createSourcePace();
  let received = 0;
  let vainRenewals = 0;
  let receivedAtRenewal = 0;
  /** Time that the source is not responsible for is added. */
  let silentSinceMs = now();

  const line = createPieceLine(pieces, {
    signal,
    budget,
    now,
    bell,
    onRepeated: heard,
    onBytes: (bytes) => {
      heard(bytes);
      received += bytes;
      if (received > maxBytes) ending.abort(new JobFailure("too_large"));
      else onBytes(received);
    },
  });

  function heard(bytes: number): void {
    silentSinceMs = now();
    pace.came(bytes);
  }

  async function waitForBytes(): Promise<void> {
    const begunMs = now();
    const leftMs = silentSinceMs + silenceMs - begunMs;
    if (leftMs <= 0) throw new JobFailure("connection_timeout");
    const timer = setTimeout(() => bell.ring(), leftMs);
    await bell.heard();
    clearTimeout(timer);
    pace.waited(now() - begunMs);
  }

  /** Prepares for retrying the first piece. Rejects if there should be no retry. */
  async function mend({ failure: reported, wasAhead, received: bytes }: PieceState): Promise<void> {
    retries.progressed(bytes);
    // Alone it may not fail, and a response may be shorter than requested.
    if (reported !== null ? wasAhead : bytes >= shortAnswerBytes) return;
    const failure = reported ?? new JobFailure("source_error", "the source sends only a few bytes at a time");
    if (received - receivedAtRenewal >= worthRenewingBytes) vainRenewals = 0;
    if (received > 0 && vainRenewals < vainRenewalsMax && isOfExpiredAddress(failure)) {
      vainRenewals += 1;
      receivedAtRenewal = received;
      await renew();
    } else {
      const begunMs = now();
      await retries.next(failure);
      pace.waited(now() - begunMs);
    }
  }

  /** Reads a piece's next chunk, or the remainder after its last one (null). Null if the piece is requested again. */
  async function clear(piece: Piece, chunk: Buffer | null): Promise<Buffer | null> {
    try {
      return readPiece(piece, chunk);
    } catch (error) {
      if (!(error instanceof PieceCut)) throw error;
      await outsideTheSource(() => retries.next(error));
      piece.reader?.restart();
      line.resume();
      return null;
    }
  }

  async function outsideTheSource<Result>(work: () => Promise<Result>): Promise<Result> {
    const begunMs = now();
    const result = await work();
    silentSinceMs += now() - begunMs;
    return result;
  }

  try {
    for (;;) {
      signal.throwIfAborted();
      line.widen();
      const head = line.head();
      const chunk = line.take();
      if (head === null) return;
      if (chunk !== null || head.isDone) {
        const bytes = await clear(head.piece, chunk);
        if (bytes === null) continue;
        const givenMs = now();
        if (bytes.length > 0) yield bytes;
        silentSinceMs += now() - givenMs;
        if (chunk === null) {
          retries.succeeded();
          line.shift();
        }
      } else if (head.isRunning) {
        await (head.isQueued ? outsideTheSource(() => bell.heard()) : waitForBytes());
      } else if (isLeftOut(head)) {
        line.shift();
      } else {
        await outsideTheSource(() => mend(head));
        line.resume();
      }
    }
  } finally {
    ending.abort();
    await line.ended();
  }
}

function readPiece({ reader }: Piece, chunk: Buffer | null): Buffer {
  if (reader === null) return chunk ?? Buffer.alloc(0);
  try {
    return chunk === null ? reader.final() : reader.update(chunk);
  } catch (error) {
    if (error instanceof JobFailure) throw error;
    throw new JobFailure("invalid_media", "a segment cannot be decrypted", { cause: error });
  }
}

function isLeftOut({ piece, failure, received }: PieceState): boolean {
  const isMissing = failure instanceof JobFailure && failure.code === "video_unavailable";
  return piece.mayBeMissing === true && isMissing && received === 0;
}

/** The resource existed a moment ago. */
function isOfExpiredAddress(failure: unknown): boolean {
  return failure instanceof JobFailure && /^(video_unavailable|sign_in_required)$/.test(failure.code);
}
