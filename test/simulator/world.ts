import type { Luck } from "./random.ts";

/** What a program waits for: time, or a response, which resumes it with true, or with false if none arrives. */
export type Wait =
  | { readonly kind: "sleep"; readonly ms: number }
  | { readonly kind: "ask"; readonly arrive: (isAnswered: boolean) => void };
export type Program = Generator<Wait, void, unknown>;

/** A process that runs programs. It can be frozen, continued and killed. */
export interface Host {
  alive: boolean;
  frozen: boolean;
  /** What was due while it was frozen. */
  readonly late: (() => void)[];
}

export interface Running {
  /** Makes the program throw where it waits. Requests already sent stay in flight. */
  interrupt(error: unknown): void;
}

interface Happening {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

const answerTimeoutMs = 10_000;

/** A virtual clock with its events, and a network that loses, delays and duplicates while `faulty`. */
export class World {
  now = 0;
  faulty = true;
  readonly luck: Luck;
  #order = 0;
  readonly #heap: Happening[] = [];

  constructor(luck: Luck) {
    this.luck = luck;
  }

  after(ms: number, run: () => void): void {
    push(this.#heap, { at: this.now + ms, order: this.#order++, run });
  }

  /** Runs the next event; false if none is left. */
  step(): boolean {
    const next = pop(this.#heap);
    if (next === undefined) return false;
    this.now = next.at;
    next.run();
    return true;
  }

  /** Runs a program in its host; `onEnd` gets what it threw, undefined if it completed. */
  start(host: Host, program: Program, onEnd: (error?: unknown) => void = () => undefined): Running {
    let turn = 0;
    const advance = (move: () => IteratorResult<Wait, void>) => {
      turn += 1;
      let result: IteratorResult<Wait, void>;
      try {
        result = move();
      } catch (error) {
        onEnd(error);
        return;
      }
      if (result.done === true) onEnd();
      else this.#wait(result.value, resumeOf(turn));
    };
    const resumeOf = (ofTurn: number) => (answer: unknown) => {
      const resume = () => {
        if (host.alive && turn === ofTurn) advance(() => program.next(answer));
      };
      if (host.frozen) host.late.push(resume);
      else resume();
    };
    advance(() => program.next());
    return { interrupt: (error) => advance(() => program.throw(error)) };
  }

  #wait(wait: Wait, resume: (answer: unknown) => void): void {
    if (wait.kind === "sleep") {
      this.after(wait.ms, () => resume(undefined));
      return;
    }
    const { luck, faulty } = this;
    this.after(answerTimeoutMs, () => resume(false));
    if (faulty && luck.chance(0.04)) return;
    const arrive = (isAnswered: boolean) => () => {
      wait.arrive(isAnswered);
      const isLost = this.faulty && luck.chance(0.04);
      if (isAnswered && !isLost) this.after(this.#travelMs(), () => resume(true));
    };
    this.after(this.#travelMs(), arrive(true));
    if (faulty && luck.chance(0.02)) this.after(luck.between(0, 15_000), arrive(false));
  }

  #travelMs(): number {
    const { luck } = this;
    return this.faulty && luck.chance(0.05) ? luck.between(200, 12_000) : luck.between(5, 100);
  }
}

export function newHost(): Host {
  return { alive: true, frozen: false, late: [] };
}

export function sleep(ms: number): Wait {
  return { kind: "sleep", ms };
}

/** Sends a request once. `serve` runs whenever it arrives: never, once or twice, perhaps after its timeout. */
export function* ask<Answer>(serve: () => Answer): Generator<Wait, Answer | undefined, unknown> {
  const kept: { answer?: Answer } = {};
  const arrive = (isAnswered: boolean) => {
    const answer = serve();
    if (isAnswered) kept.answer = answer;
  };
  return (yield { kind: "ask", arrive }) === true ? kept.answer : undefined;
}

function isBefore(one: Happening, other: Happening): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

function push(heap: Happening[], added: Happening): void {
  let index = heap.length;
  heap.push(added);
  while (index > 0) {
    const parent = (index - 1) >> 1;
    const above = heap[parent];
    if (above === undefined || !isBefore(added, above)) break;
    heap[index] = above;
    index = parent;
  }
  heap[index] = added;
}

function pop(heap: Happening[]): Happening | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return first;
  let index = 0;
  for (;;) {
    let child = 2 * index + 1;
    let below = heap[child];
    const right = heap[child + 1];
    if (below !== undefined && right !== undefined && isBefore(right, below)) {
      child += 1;
      below = right;
    }
    if (below === undefined || !isBefore(below, last)) break;
    heap[index] = below;
    index = child;
  }
  heap[index] = last;
  return first;
}
