import { sourceUrlProblem } from "../../contracts/address-rules.ts";
import type { Dependencies } from "../dependencies.ts";
import { errorFields } from "../log.ts";
import { retryAfterMs } from "./retry-schedule.ts";

/** The result of one attempt. */
export interface TryResult {
  /** Null: there was no response. */
  readonly httpStatus: number | null;
  /** Why it failed, in a sentence that quotes nothing of the response; null: delivered. */
  readonly error: string | null;
  /** Another attempt would be pointless. */
  readonly isFinal: boolean;
  /** How long the receiver asked to wait. */
  readonly retryAfterMs: number | null;
}

export const tryTimeoutMs = 15_000;
const answerMaxBytes = 64 * 1024;

type Surroundings = Pick<Dependencies, "fetch" | "settings" | "clock" | "log">;

/**
 * POSTs a body once. Only the response's status counts; up to 64 KiB of its body are read so that the receiver can
 * finish. Redirects are treated like any other response, and forbidden addresses are not contacted. Never rejects.
 */
export async function sendWebhook(
  around: Surroundings,
  { url, headers, body }: { url: string; headers: Readonly<Record<string, string>>; body: string },
): Promise<TryResult> {
  if (sourceUrlProblem(url, around.settings) !== null) return { ...failed("URL not allowed"), isFinal: true };
  const signal = AbortSignal.timeout(tryTimeoutMs);
  try {
    const response = await around.fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "Ferry", ...headers },
      body,
      redirect: "manual",
      signal,
    });
    await readSome(around, response);
    return resultOf(response, around.clock());
  } catch (error) {
    around.log.info("A webhook got no response", errorFields(error));
    return failed(signal.aborted ? `No answer within ${tryTimeoutMs / 1000} s` : "Connection failed");
  }
}

function failed(error: string): TryResult {
  return { httpStatus: null, error, isFinal: false, retryAfterMs: null };
}

function resultOf({ status, ok, headers }: Response, now: number): TryResult {
  return {
    httpStatus: status,
    error: ok ? null : `HTTP ${status}`,
    isFinal: ok || status === 410,
    retryAfterMs: retryAfterMs(headers.get("retry-after"), now),
  };
}

async function readSome({ log }: Surroundings, { body }: Response): Promise<void> {
  let bytes = 0;
  try {
    // Leaving the loop cancels the rest.
    for await (const chunk of body ?? []) {
      bytes += chunk.byteLength;
      if (bytes >= answerMaxBytes) break;
    }
  } catch (error) {
    log.info("A webhook's response broke off after its status", errorFields(error));
  }
}
