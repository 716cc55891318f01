import { setTimeout as sleep } from "node:timers/promises";
import type { Supervised } from "../local-system/supervise.ts";
import { waitUntilHealthy } from "../local-system/health.ts";
import type { Luck } from "./luck.ts";
import type { Death } from "./recoveries.ts";
import type { SoakedJobs } from "./soaked-jobs.ts";
import type { SoakedSystem } from "./soaked-system.ts";

const pauseMs = { least: 300, most: 2500 };
const haltMs = { least: 500, most: 40_000 };
/** Shorter than for nodes, because no job makes progress in the meantime. */
const edgeHaltMs = { least: 500, most: 5000 };
const edgeStartMs = 60_000;

/** What is done to the processes of a soaked system. */
export class Blows {
  readonly deaths: Death[] = [];
  readonly #system: SoakedSystem;
  readonly #jobs: SoakedJobs;
  readonly #luck: Luck;
  readonly #onFault: (fault: string) => void;
  readonly #halted = new Set<Supervised>();
  readonly #under: Promise<void>[] = [];

  constructor(system: SoakedSystem, jobs: SoakedJobs, luck: Luck, onFault: (fault: string) => void) {
    this.#system = system;
    this.#jobs = jobs;
    this.#luck = luck;
    this.#onFault = onFault;
  }

  /** One blow, after a random time. */
  async next(signal: AbortSignal): Promise<void> {
    await sleep(this.#luck.between(pauseMs.least, pauseMs.most), undefined, { signal });
    const place = this.#luck.oneOf([...this.#system.nodes.keys()]);
    const node = this.#system.nodes[place];
    const what = this.#luck.between(0, 1);
    if (what < 0.35) this.#killNode(place);
    else if (what < 0.6) this.#halt(node, "node halted");
    else if (what < 0.68) this.#halt(this.#system.edge, "edge halted");
    else if (what < 0.76) await this.#killEdge(signal);
    else {
      this.#onFault("job cancelled");
      await this.#jobs.cancelOne();
    }
  }

  /** Resolves when nothing is paused any more. */
  async settle(): Promise<void> {
    await Promise.all(this.#under);
  }

  #killNode(node: number): void {
    this.#onFault("node killed");
    this.deaths.push({ node, atMs: Date.now() });
    this.#system.nodes[node]?.kill();
  }

  #halt(program: Supervised | undefined, fault: string): void {
    // One at a time: with both nodes paused there is nowhere to recover.
    if (program === undefined || this.#halted.size > 0) return;
    this.#onFault(fault);
    this.#halted.add(program);
    program.halt();
    this.#under.push(this.#goOnLater(program));
  }

  async #goOnLater(program: Supervised): Promise<void> {
    const { least, most } = program === this.#system.edge ? edgeHaltMs : haltMs;
    await sleep(this.#luck.between(least, most));
    program.resume();
    this.#halted.delete(program);
  }

  async #killEdge(signal: AbortSignal): Promise<void> {
    this.#onFault("edge killed");
    this.#system.edge.kill();
    await waitUntilHealthy(
      `${this.#system.url}/health`,
      AbortSignal.any([signal, AbortSignal.timeout(edgeStartMs)]),
    );
  }
}
