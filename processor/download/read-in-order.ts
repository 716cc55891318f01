import type { ByteBudget } from "../memory/byte-budget.ts";
import { HostBusy } from "../network/host-connections.ts";
import type { Retries } from "../network/retries.ts";
import { JobFailure } from "../pipeline/job.ts";
import { createBell } from "./bell.ts";
import type { Piece, Pieces } from "./piece.ts";
import { createPieceLine, type PieceState } from "./piece-line.ts";

export interface Reading {
  readonly signal: AbortSignal;
  /** Without a byte on any connection, while bytes are wanted. */
  readonly silenceMs: number;
  readonly maxBytes: number;
  /** For what comes before it can be given out. */
  readonly budget: ByteBudget;
  readonly retries: Retries;
  /** Milliseconds of a clock that is never set back. */
  readonly now: () => number;
  /** Told as bytes come, of those so far. */
  readonly onBytes: (received: number) => void;
  /** Finds new addresses for the same pieces. */
  readonly renew: () => Promise<void>;
}

/** An address that has expired once may do so again. */
const renewalsMax = 2;

/**
 * The bytes of all pieces, each once, in order, over as many connections as bring them faster. A connection that
 * broke is taken up after its last byte. Rejects with JobFailure, or the signal's reason; when it has ended, nothing
 * is under way any more.
 */
export async function* readInOrder(
  pieces: Pieces,
  { signal: outerSignal, silenceMs, maxBytes, budget, retries, now, onBytes, renew }: Reading,
): AsyncGenerator<Buffer, void, undefined> {
  const ending = new AbortController();
  const signal = AbortSignal.any([outerSignal, ending.signal]);
  const bell = createBell();
  let received = 0;
  let renewals = 0;
  /** Time that is not the source's is added. */
  let silentSinceMs = now();

  const line = createPieceLine(pieces, {
    signal,
    budget,
    now,
    bell,
    onBytes: (bytes) => {
      silentSinceMs = now();
      if (bytes === 0) return;
      received += bytes;
      if (received > maxBytes) ending.abort(new JobFailure("too_large"));
      else onBytes(received);
    },
  });

  async function waitForBytes(): Promise<void> {
    const leftMs = silentSinceMs + silenceMs - now();
    if (leftMs <= 0) throw new JobFailure("connection_timeout");
    const timer = setTimeout(() => bell.ring(), leftMs);
    await bell.heard();
    clearTimeout(timer);
  }

  /** Prepares for another try of the first piece. Rejects when there is to be none. */
  async function mend({ failure, hasProgressed }: PieceState): Promise<void> {
    if (hasProgressed) retries.progressed();
    // An answer may be shorter than what was asked for; and only what is not needed yet finds the host busy.
    if ((failure === null && hasProgressed) || failure instanceof HostBusy) return;
    if (received > 0 && renewals < renewalsMax && isOfExpiredAddress(failure)) {
      renewals += 1;
      await renew();
    } else {
      await retries.next(failure);
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
        const bytes = clear(head.piece, chunk);
        const givenMs = now();
        if (bytes.length > 0) yield bytes;
        silentSinceMs += now() - givenMs;
        if (chunk === null) {
          retries.progressed();
          line.shift();
        }
      } else if (head.isRunning) {
        await (head.isQueued ? outsideTheSource(() => bell.heard()) : waitForBytes());
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

/** What a piece's next chunk says, or, after its last one (null), what is left to say. */
function clear({ decipher }: Piece, chunk: Buffer | null): Buffer {
  if (decipher === null) return chunk ?? Buffer.alloc(0);
  try {
    return chunk === null ? decipher.final() : decipher.update(chunk);
  } catch (error) {
    throw new JobFailure("invalid_media", "a segment cannot be decrypted", { cause: error });
  }
}

/** What was there a moment ago. */
function isOfExpiredAddress(failure: unknown): boolean {
  return failure instanceof JobFailure && /^(video_unavailable|sign_in_required)$/.test(failure.code);
}
