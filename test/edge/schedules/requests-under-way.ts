import type { Luck } from "../../simulator/random.ts";

interface SentRequest {
  /** Serves the request and passes on the response. */
  readonly arrive: () => Promise<void>;
  /** The sender stops waiting, and may send it again. */
  readonly giveUp: () => void;
}

/** Requests in flight. They arrive in any order, twice, or never. */
export class RequestsUnderWay {
  readonly #luck: Luck;
  readonly #requests: SentRequest[] = [];

  constructor(luck: Luck) {
    this.#luck = luck;
  }

  send(request: SentRequest): void {
    this.#requests.push(request);
    if (this.#luck.chance(0.1)) this.#requests.push(request);
  }

  async deliverAny(): Promise<void> {
    await this.#take()?.arrive();
  }

  loseAny(): void {
    this.#take()?.giveUp();
  }

  /** In the order in which they were sent, including those sent meanwhile. */
  async deliverAll(): Promise<void> {
    for (let next = this.#requests.shift(); next !== undefined; next = this.#requests.shift())
      await next.arrive();
  }

  #take(): SentRequest | undefined {
    return this.#requests.splice(this.#luck.whole(Math.max(1, this.#requests.length)), 1)[0];
  }
}
