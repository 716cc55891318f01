/** The seconds of media written so far, where a line of `-progress` says so, else null. */
export function secondsOfProgress(line: string): number | null {
  const [, microseconds] = /^out_time_us=(\d+)$/.exec(line) ?? [];
  return microseconds === undefined ? null : Number(microseconds) / 1e6;
}
