/** The system that is looked at. */
export interface Patient {
  /** Of the edge, without a slash at its end. */
  readonly url: string;
  /** Of any account. */
  readonly apiKey: string;
  /** What edge and nodes share; null: what only the edge can find out is skipped. */
  readonly processorSecret: string | null;
  /** Started by `npm start` on this machine. */
  readonly isLocal: boolean;
}

const timeoutMs = 30_000;

/** An answer, or in a sentence why there was none. */
export type Reached = { readonly response: Response } | { readonly unreached: string };

/** Sends one request. Never rejects. */
export async function reach(url: string, init: RequestInit = {}): Promise<Reached> {
  try {
    return { response: await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) }) };
  } catch (error) {
    return { unreached: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no answer within ${timeoutMs / 1000} s`;
  const { cause } = error;
  if (cause instanceof Error) return "code" in cause ? String(cause.code) : cause.message;
  return error.message;
}
