/**
 * Runs tasks concurrently. The first failure stops the others. By the time this rejects, with that failure or with the
 * signal's reason, all of them have ended.
 */
export async function allOrNone<Result>(
  signal: AbortSignal,
  pieces: readonly ((signal: AbortSignal) => Promise<Result>)[],
): Promise<Result[]> {
  const failure = new AbortController();
  const shared = AbortSignal.any([signal, failure.signal]);
  const runs = pieces.map(async (run) => {
    try {
      return [await run(shared)];
    } catch (error) {
      failure.abort(error);
      return [];
    }
  });
  const results = await Promise.all(runs);
  shared.throwIfAborted();
  return results.flat();
}
