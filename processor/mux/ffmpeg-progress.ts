/** The seconds of media written so far, if the line of `-progress` says so; otherwise null. */
export function secondsOfProgress(line: string): number | null {
  const [, microseconds] = /^out_time_us=(\d+)$/.exec(line) ?? [];
  return microseconds === undefined ? null : Number(microseconds) / 1e6;
}
