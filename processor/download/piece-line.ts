import type { ByteBudget } from "../memory/byte-budget.ts";
import { failureOfNetworkError } from "../network/network-failure.ts";
import type { Bell } from "./bell.ts";
import { createConnectionCount } from "./connection-count.ts";
import { isWhole, type Piece, type Pieces } from "./piece.ts";
import type { ReadRequest } from "./remote-file.ts";

/** Of what could be taken: enough to keep the connection busy until more of it is. */
const readyMaxBytes = 512 * 1024;
/** Of a piece whose connection others wait for. */
const wantedMaxBytes = 4 * 1024 * 1024;
/** Of the pieces behind the first, all together. */
const aheadMaxBytes = 16 * 1024 * 1024;

/** The pieces of a format that are being fetched, side by side, or wait to be taken, in their order. */
export interface PieceLine {
  /** Fetches as many further pieces as connections are worth having and memory is left for. */
  widen(): void;
  /** The first piece; null when there is none left. */
  head(): PieceState | null;
  /** The next bytes of the first piece, where they are there. */
  take(): Buffer | null;
  /** Goes over to the next piece. */
  shift(): void;
  /** Fetches what the first piece still lacks. */
  resume(): void;
  /** Resolves when nothing is under way any more, after the signal has aborted. */
  ended(): Promise<void>;
}

export interface PieceState {
  readonly piece: Piece;
  readonly isRunning: boolean;
  /** It waits for a connection. */
  readonly isQueued: boolean;
  /** All of it came and was taken. */
  readonly isDone: boolean;
  /** What the last run ended with; null when it ended by itself. */
  readonly failure: unknown;
  /** Bytes came in the last run. */
  readonly hasProgressed: boolean;
}

interface Run {
  readonly piece: Piece;
  readonly waiting: Buffer[];
  waitingBytes: number;
  /** Of those, taken from the budget. */
  chargedBytes: number;
  isRunning: boolean;
  /** Waits for a connection. */
  isQueued: boolean;
  /** Others wait for its connection. */
  isWanted: boolean;
  failure: unknown;
  hasProgressed: boolean;
}

interface LineTools {
  readonly signal: AbortSignal;
  readonly budget: ByteBudget;
  /** Milliseconds of a clock that is never set back. */
  readonly now: () => number;
  /** Rung whenever something of the line changes. */
  readonly bell: Bell;
  /** Told of all bytes as they come; 0 when they had come before. */
  readonly onBytes: (bytes: number) => void;
}

/**
 * Pieces behind the first are fetched on approval: what they need memory for that is not left, and what fails, waits
 * until they are the first. So the first never waits for the others, and their failures are nobody's.
 */
export function createPieceLine(
  pieces: Pieces,
  { signal, budget, now, bell, onBytes }: LineTools,
): PieceLine {
  const line: Run[] = [];
  const runs = new Set<Promise<void>>();
  const count = createConnectionCount(now());

  const isFirst = (run: Run) => run === line[0];
  const aheadBytes = () => line.slice(1).reduce((sum, run) => sum + run.waitingBytes, 0);

  /** What could be taken at once: the pieces that are there up to the first that is not, and of that what has come. */
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

  /** Its connection is given up for others when its piece is there, whether somebody takes that or not. */
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
      isNeeded: isFirst(run),
      onRepeated: () => onBytes(0),
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
        run.hasProgressed = true;
        // How long the file is may have been unknown when others began to wait.
        if (run.isWanted) pieces.shorten(piece);
        count.heard(chunk.length, now());
        onBytes(chunk.length);
        await keep(run, chunk);
      }
    } catch (error) {
      // An error after the last byte, such as a server that hangs up at once, is none.
      if (isWhole(piece)) return;
      run.failure = failureOfNetworkError(error);
      if (!isFirst(run)) count.failed(now());
    }
  }

  function start(run: Run): void {
    run.isRunning = true;
    run.isQueued = false;
    run.isWanted = false;
    run.failure = null;
    run.hasProgressed = false;
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
        // Fetching more than is taken would only slow what another reader of the same link waits for.
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
        hasProgressed: false,
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
      const { piece, isRunning, isQueued, failure, hasProgressed, waiting } = run;
      const isDone = !isRunning && waiting.length === 0 && isWhole(piece);
      return { piece, isRunning, isQueued, failure, hasProgressed, isDone };
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
