const name = Buffer.from("com.apple.streaming.transportStreamTimestamp\0");
const ticksPerSecond = 90_000;

/**
 * The time in seconds at which audio without a container starts on the clock of its presentation, according to the tag at
 * the beginning of each segment (RFC 8216, section 3.4); null without such a tag: then it has no timestamps.
 */
export function readStreamTimestamp(head: Uint8Array): number | null {
  const bytes = Buffer.from(head);
  const at = bytes.indexOf(name);
  if (bytes.toString("latin1", 0, 3) !== "ID3" || at === -1) return null;
  const start = at + name.length;
  return bytes.length < start + 8 ? null : Number(bytes.readBigUInt64BE(start)) / ticksPerSecond;
}
