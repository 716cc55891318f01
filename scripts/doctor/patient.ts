/** The system to check. */
export interface Patient {
  /** Of the edge, without a trailing slash. */
  readonly url: string;
  /** Of any account. */
  readonly apiKey: string;
  /** Shared by edge and nodes; null: what only the edge can find out is skipped. */
  readonly processorSecret: string | null;
  /** Started by `npm start` on this machine. */
  readonly isLocal: boolean;
}

const timeoutMs = 30_000;

/** A response, or a sentence that says why there is none. */
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
