/**
 * Settles with the promise, or rejects with the signal's reason as soon as that is aborted. The work behind the promise
 * continues.
 */
export function orAborted(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(() => resolve(), reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
