import type { ByteBudget } from "../memory/byte-budget.ts";
import { failureOfNetworkError } from "../network/network-failure.ts";
import type { Bell } from "./bell.ts";
import { createConnectionCount } from "./connection-count.ts";
import { isWhole, type Piece, type Pieces } from "./piece.ts";
import type { ReadRequest } from "./remote-file.ts";

/** Limit for data that is ready for the consumer: enough to keep the connection busy until it takes more. */
const readyMaxBytes = 512 * 1024;
/** Limit for the remainder of a piece that is buffered to free a connection that others are waiting for. */
const wantedMaxBytes = 4 * 1024 * 1024;
/** Limit for data of all pieces after the first together. */
const aheadMaxBytes = 16 * 1024 * 1024;

/** The pieces of a format that are being fetched concurrently or are waiting to be consumed, in order. */
export interface PieceLine {
  /** Starts fetching further pieces, as far as more connections are worthwhile and memory is left. */
  widen(): void;
  /** The first piece; null if none is left. */
  head(): PieceState | null;
  /** Takes the next bytes of the first piece; null if none have arrived. */
  take(): Buffer | null;
  /** Moves on to the next piece. */
  shift(): void;
  /** Fetches the missing rest of the first piece. */
  resume(): void;
  /** Call after the signal has been aborted. Resolves when all requests have ended. */
  ended(): Promise<void>;
}

export interface PieceState {
  readonly piece: Piece;
  readonly isRunning: boolean;
  /** It is waiting for a connection. */
  readonly isQueued: boolean;
  /** It has arrived completely and been consumed. */
  readonly isDone: boolean;
  /** The error that ended the last run; null if it ended normally. */
  readonly failure: unknown;
  /** The last run began while another piece was the first: its failure may be due to that. */
  readonly wasAhead: boolean;
  /** How many bytes the last run received. */
  readonly received: number;
}

interface Run {
  readonly piece: Piece;
  readonly waiting: Buffer[];
  waitingBytes: number;
  /** The part of `waitingBytes` that is charged to the budget. */
  chargedBytes: number;
  isRunning: boolean;
  /** It is waiting for a connection. */
  isQueued: boolean;
  /** Others are waiting for its connection. */
  isWanted: boolean;
  failure: unknown;
  wasAhead: boolean;
  received: number;
}

interface LineTools {
  readonly signal: AbortSignal;
  readonly budget: ByteBudget;
  /** Milliseconds; monotonic. */
  readonly now: () => number;
  /** Rung whenever the state of the line changes. */
  readonly bell: Bell;
  /** Called with the number of bytes received for the first time … */
  readonly onBytes: (bytes: number) => void;
  /** … and of those that had been received before. */
  readonly onRepeated: (bytes: number) => void;
}

/**
 * Pieces after the first are fetched speculatively: one that fails, or finds no memory left, waits until it is the
 * first. So the first piece never waits for the others, and their failures do not matter.
 */
export function createPieceLine(
  pieces: Pieces,
  { signal, budget, now, bell, onBytes, onRepeated }: LineTools,
): PieceLine {
  const line: Run[] = [];
  const runs = new Set<Promise<void>>();
  const count = createConnectionCount(now());

  const isFirst = (run: Run) => run === line[0];
  const aheadBytes = () => line.slice(1).reduce((sum, run) => sum + run.waitingBytes, 0);

  /** What the consumer could take without waiting: all data up to the first gap. */
  function readyBytes(): number {
    const unfinished = line.findIndex((run) => run.isRunning || !isWhole(run.piece));
    const ready = unfinished < 0 ? line : line.slice(0, unfinished + 1);
    return ready.reduce((sum, run) => sum + run.waitingBytes, 0);
  }

  function hasRoom(run: Run, bytes: number): boolean {
    if (isFirst(run)) return run.waitingBytes < readyMaxBytes || mustEnd(run);
    if (aheadBytes() + bytes > aheadMaxBytes || !budget.tryTake(bytes)) return false;
    run.chargedBytes += bytes;
    return true;
  }

  /** Whether to buffer the rest of the piece, consumed or not, because others are waiting for its connection. */
  function mustEnd({ isWanted, piece: { end, position } }: Run): boolean {
    return isWanted && end !== null && end - position <= wantedMaxBytes;
  }

  async function keep(run: Run, chunk: Buffer): Promise<void> {
    while (!hasRoom(run, chunk.length)) {
      count.heldBack(now());
      await bell.heard();
      signal.throwIfAborted();
    }
    run.waiting.push(chunk);
    run.waitingBytes += chunk.length;
    bell.ring();
  }

  async function fetchRest(run: Run): Promise<void> {
    const { piece } = run;
    const request: ReadRequest = {
      signal,
      isNeeded: !run.wasAhead,
      onRepeated,
      onTurn: (isWaiting) => {
        run.isQueued = isWaiting;
        bell.ring();
      },
      onWanted: () => {
        run.isWanted = true;
        pieces.shorten(piece);
        bell.ring();
      },
    };
    try {
      for await (const chunk of piece.file.read(piece, request)) {
        run.received += chunk.length;
        // The file's length may have been unknown when others began to wait.
        if (run.isWanted) pieces.shorten(piece);
        count.heard(chunk.length, now());
        onBytes(chunk.length);
        await keep(run, chunk);
      }
    } catch (error) {
      // An error after the last byte, such as a server that hangs up at once, does not matter.
      if (isWhole(piece)) return;
      run.failure = failureOfNetworkError(error);
      if (run.wasAhead) count.failed(now());
    }
  }

  function start(run: Run): void {
    run.isRunning = true;
    run.isQueued = false;
    run.isWanted = false;
    run.failure = null;
    run.wasAhead = !isFirst(run);
    run.received = 0;
    const ended = fetchRest(run).finally(() => {
      run.isRunning = false;
      runs.delete(ended);
      bell.ring();
      widen();
    });
    runs.add(ended);
  }

  function widen(): void {
    while (!signal.aborted && aheadBytes() < aheadMaxBytes) {
      if (readyBytes() >= readyMaxBytes) {
        // Fetching more than is consumed would only slow down others on the same link.
        count.heldBack(now());
        return;
      }
      const unfinished = line.filter((run) => run.isRunning || !isWhole(run.piece)).length;
      if (unfinished >= count.wanted()) return;
      const piece = pieces.next(count.wanted() === 1);
      if (piece === null) return;
      const run = {
        piece,
        waiting: [],
        waitingBytes: 0,
        chargedBytes: 0,
        isRunning: false,
        isQueued: false,
        isWanted: false,
        failure: null,
        wasAhead: false,
        received: 0,
      };
      line.push(run);
      start(run);
    }
  }

  function uncharge(run: Run, bytes: number): void {
    const charged = Math.min(run.chargedBytes, bytes);
    run.chargedBytes -= charged;
    budget.give(charged);
  }

  return {
    widen,
    head() {
      const [run] = line;
      if (run === undefined) return null;
      const { piece, isRunning, isQueued, failure, wasAhead, received, waiting } = run;
      const isDone = !isRunning && waiting.length === 0 && isWhole(piece);
      return { piece, isRunning, isQueued, failure, wasAhead, received, isDone };
    },
    take() {
      const [run] = line;
      const chunk = run?.waiting.shift();
      if (run === undefined || chunk === undefined) return null;
      run.waitingBytes -= chunk.length;
      uncharge(run, chunk.length);
      bell.ring();
      return chunk;
    },
    shift() {
      line.shift();
      bell.ring();
    },
    resume() {
      const [run] = line;
      if (run !== undefined) start(run);
    },
    async ended() {
      bell.ring();
      await Promise.all(runs);
      for (const run of line) uncharge(run, run.chargedBytes);
    },
  };
}
