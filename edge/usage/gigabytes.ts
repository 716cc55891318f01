const bytesPerGb = 1_000_000_000;

/** Bytes in units of 10^9 bytes. */
export function gigabytes(bytes: number): number {
  return bytes / bytesPerGb;
}
