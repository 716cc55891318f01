/** A tag of 128 bytes (ID3v1). */
export const oldTag = Buffer.concat([Buffer.from("TAGTides of the harbour"), Buffer.alloc(105)]);

/** What programs and servers append to files. */
export const appended: readonly Buffer[] = [
  oldTag,
  Buffer.alloc(5),
  Buffer.alloc(300),
  Buffer.from("\n"),
  Buffer.from("<br />\n<b>Warning</b>: something is out of order"),
];

/** What can happen to a file in transit. */
export const damages = {
  "is cut": (bytes) => bytes.subarray(0, bytes.length * 0.8),
  "lacks its last byte": (bytes) => bytes.subarray(0, -1),
  "is followed by something else": (bytes) => Buffer.concat([bytes, Buffer.from("something else")]),
  "is zeros in the middle": (bytes) => replaced(bytes, Buffer.alloc(bytes.length / 10)),
  "is noise in the middle": (bytes) => replaced(bytes, noise(bytes.length / 10)),
  "lacks something in the middle": (bytes) =>
    Buffer.concat([
      bytes.subarray(0, bytes.length / 2),
      bytes.subarray(bytes.length / 2 + 1000),
      Buffer.alloc(1000, 255),
    ]),
  "has two parts exchanged": (bytes) => {
    const at = [0.3, 0.4, 0.6, 0.7].map((share) => bytes.length * share);
    const parts = [0, ...at].map((from, index) => bytes.subarray(from, at[index] ?? bytes.length));
    return Buffer.concat([0, 3, 2, 1, 4].map((index) => parts[index] ?? bytes.subarray(0, 0)));
  },
} as const satisfies Record<string, (bytes: Buffer) => Buffer>;

export type Damage = keyof typeof damages;
export const allDamages = Object.keys(damages).filter((name): name is Damage => name in damages);

/** The file with bytes changed from its middle on. */
function replaced(bytes: Buffer, by: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  by.copy(changed, changed.length / 2);
  return changed;
}

function noise(length: number): Buffer {
  return Buffer.from(Array.from({ length: Math.floor(length) }, (_, at) => (at * at * 197 + at) % 251));
}
