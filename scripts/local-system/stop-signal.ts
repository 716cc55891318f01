/** Repeated signals within this time are one Ctrl-C: the terminal, npm and the bootstrap each pass it on. */
const sameKeypressMs = 1000;

/**
 * Aborts at SIGINT, SIGTERM, SIGHUP or the end of the parent process. When the user asks a second time this process
 * exits immediately, and its guard ends what it started.
 */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  let askedAt = 0;
  const ask = () => {
    if (!stopping.signal.aborted) {
      askedAt = performance.now();
      stopping.abort();
    } else if (performance.now() - askedAt > sameKeypressMs) {
      process.exit(1);
    }
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, ask);
  process.on("disconnect", ask);
  process.channel?.unref();
  return stopping.signal;
}
