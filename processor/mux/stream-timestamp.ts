const name = Buffer.from("com.apple.streaming.transportStreamTimestamp\0");
const ticksPerSecond = 90_000;

/**
 * When sound without a container begins on the clock of the stream that it is a part of, in seconds, by the tag in front
 * of each of its pieces (RFC 8216, section 3.4); null without one: then it has no clock.
 */
export function readStreamTimestamp(head: Uint8Array): number | null {
  const bytes = Buffer.from(head);
  const at = bytes.indexOf(name);
  if (bytes.toString("latin1", 0, 3) !== "ID3" || at === -1) return null;
  const start = at + name.length;
  return bytes.length < start + 8 ? null : Number(bytes.readBigUInt64BE(start)) / ticksPerSecond;
}
