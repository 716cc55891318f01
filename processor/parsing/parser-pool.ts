import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { JobFailure } from "../pipeline/job.ts";
import { createPlaces } from "../work/places.ts";
import type { ParserAnswer } from "./parser-thread.ts";
import type { ParserInput, ParserName, ParserResult } from "./parsers.ts";

/** What the threads for texts of one size may use. */
export interface ParserLane {
  readonly threads: number;
  readonly heapMb: number;
  /** For one text, not counting the time until a thread is free. */
  readonly deadlineMs: number;
}

export interface ParserPool {
  /**
   * Parses a text in a thread, which costs a fraction of a millisecond: nothing that a stranger writes holds up the
   * node's own thread. Rejects with JobFailure, `unsupported_url` for what takes too much time or memory, or with the
   * signal's reason.
   */
  readonly parse: <Name extends ParserName>(
    name: Name,
    input: ParserInput<Name>,
    signal: AbortSignal,
  ) => Promise<ParserResult<Name>>;
  /** Starts the threads for short texts, so that the first ones need not wait for that. */
  readonly warmUp: () => Promise<void>;
}

const transferred: readonly [] = [];

/** Long texts wait for each other, since each takes hundreds of megabytes; short ones never wait for those. */
const longBytes = 1024 * 1024;

/** Its threads keep no process running. Those for short texts are kept. */
export function createParserPool({ short, long }: { short: ParserLane; long: ParserLane }): ParserPool {
  const places = { short: createPlaces(short.threads), long: createPlaces(long.threads) };
  const idle = new Set<Worker>();

  async function runIn<Name extends ParserName>(
    thread: Worker,
    task: { readonly name: Name; readonly input: ParserInput<Name> },
    deadlineMs: number,
    jobSignal: AbortSignal,
  ): Promise<ParserAnswer<Name>> {
    const deadline = AbortSignal.timeout(deadlineMs);
    const signal = AbortSignal.any([jobSignal, deadline]);
    try {
      const answered = once(thread, "message", { signal });
      thread.postMessage(task, transferred);
      const [answer]: ParserAnswer<Name>[] = await answered;
      if (answer === undefined) throw new Error("the thread's message is empty");
      return answer;
    } catch (error) {
      jobSignal.throwIfAborted();
      if (deadline.aborted) throw tooMuch("time", error);
      throw isOutOfMemory(error) ? tooMuch("memory", error) : error;
    }
  }

  return {
    async parse(name, input, signal) {
      const isLong = bytesOf(input) >= longBytes;
      const { deadlineMs, heapMb } = isLong ? long : short;
      const answer = await places[isLong ? "long" : "short"].within(signal, async () => {
        const [waiting] = isLong ? [] : idle;
        const thread = waiting ?? (await startThread(heapMb, signal));
        idle.delete(thread);
        let isKept = false;
        try {
          const given = await runIn(thread, { name, input }, deadlineMs, signal);
          isKept = !isLong;
          return given;
        } finally {
          if (isKept) idle.add(thread);
          else await thread.terminate();
        }
      });
      return resultOf(answer);
    },
    async warmUp() {
      const { signal } = new AbortController();
      const starting = Array.from({ length: short.threads }, () => startThread(short.heapMb, signal));
      for (const thread of await Promise.all(starting)) idle.add(thread);
    },
  };
}

async function startThread(heapMb: number, signal: AbortSignal): Promise<Worker> {
  const thread = new Worker(new URL("parser-thread.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  // Whoever waits for it gets the error; nobody needs it otherwise.
  thread.on("error", () => {});
  try {
    await once(thread, "message", { signal });
  } catch (error) {
    await thread.terminate();
    signal.throwIfAborted();
    throw error;
  }
  // While it works, its task is awaited by something that keeps the process running.
  thread.unref();
  return thread;
}

function resultOf<Name extends ParserName>(answer: ParserAnswer<Name>): ParserResult<Name> {
  if ("result" in answer) return answer.result;
  if ("failure" in answer) throw new JobFailure(answer.failure.code, answer.failure.detail);
  throw new Error("a text could not be parsed", { cause: answer.error });
}

function bytesOf(input: unknown): number {
  if (typeof input === "string") return input.length;
  if (typeof input !== "object" || input === null) return 0;
  if ("byteLength" in input && typeof input.byteLength === "number") return input.byteLength;
  return Object.values(input).reduce<number>((sum, value) => sum + bytesOf(value), 0);
}

function tooMuch(what: "time" | "memory", cause: unknown): JobFailure {
  return new JobFailure("unsupported_url", `reading its description takes too much ${what}`, { cause });
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
