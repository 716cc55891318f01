import type { FailureCode } from "../server/schemas.ts";
import { failureAdvice } from "./failure-advice.ts";

interface FailurePanelProps {
  readonly error: string;
  readonly code: FailureCode | null;
  readonly retryable: boolean | null;
}

/** Why a job failed and what to do about it. */
export function FailurePanel({ error, code, retryable }: FailurePanelProps) {
  return (
    <section class="failure" aria-label="Why it failed">
      <h2>{error}</h2>
      {code !== null && <p>{failureAdvice[code]}</p>}
      {retryable === false && code !== "cancelled" && (
        <p class="muted small">Retrying the same job is unlikely to help.</p>
      )}
    </section>
  );
}
