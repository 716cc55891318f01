/**
 * Which addresses may be contacted: `closed` ones never, `private` ones (loopback, RFC 1918, unique local) only if the
 * operator allows them, all others are `public`.
 */
export type AddressClass = "public" | "private" | "closed";

/** An IPv4 range: its first address and the number of leading bits its members share. */
type Range = readonly [first: readonly [number, number, number, number], bits: number];

const privateV4: readonly Range[] = [
  [[10, 0, 0, 0], 8],
  [[127, 0, 0, 0], 8],
  [[172, 16, 0, 0], 12],
  [[192, 168, 0, 0], 16],
];

/** IANA's special-purpose registry except the private ranges, and clouds' metadata services outside of it. */
const closedV4: readonly Range[] = [
  [[0, 0, 0, 0], 8], // this host: a connection to 0.0.0.0 reaches loopback
  [[100, 64, 0, 0], 10], // carrier-grade NAT, and metadata at 100.100.100.200
  [[168, 63, 129, 16], 32], // metadata of one cloud, on a public address
  [[169, 254, 0, 0], 16], // link-local, and metadata at 169.254.169.254
  [[192, 0, 0, 0], 24], // protocol assignments, and metadata at 192.0.0.192
  [[192, 0, 2, 0], 24], // documentation
  [[192, 31, 196, 0], 24], // AS112
  [[192, 52, 193, 0], 24], // multicast tunnels
  [[192, 88, 99, 0], 24], // 6to4 relays
  [[192, 175, 48, 0], 24], // AS112
  [[198, 18, 0, 0], 15], // benchmarking
  [[198, 51, 100, 0], 24], // documentation
  [[203, 0, 113, 0], 24], // documentation
  [[224, 0, 0, 0], 4], // multicast
  [[240, 0, 0, 0], 4], // reserved, broadcast
];

/** The class of an IPv4 address, given as 4 bytes. */
export function classOfV4(bytes: readonly number[]): AddressClass {
  const address = toInteger(bytes);
  const isIn = ([first, bits]: Range) => {
    const size = 2 ** (32 - bits);
    return Math.floor(address / size) === Math.floor(toInteger(first) / size);
  };
  if (closedV4.some(isIn)) return "closed";
  return privateV4.some(isIn) ? "private" : "public";
}

function toInteger(bytes: readonly number[]): number {
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

/** The class of an IPv6 address, given as 8 groups. If it embeds an IPv4 address, the class of that. */
export function classOfV6(groups: readonly number[]): AddressClass {
  const [a = 0, b = 0, c = 0] = groups;
  const leadingZeros = groups.findIndex((group) => group !== 0);
  const lastTwo = () => classOfV4(toBytes(groups.slice(6)));

  if (leadingZeros === 7 && groups[7] === 1) return "private"; // loopback
  if (leadingZeros === 5 && groups[5] === 0xffff) return lastTwo(); // IPv4-mapped
  if (leadingZeros === -1 || leadingZeros >= 6) return "closed"; // unspecified, IPv4-compatible
  if (a === 0x64 && b === 0xff9b) {
    const isWellKnownNat64 = groups.slice(2, 6).every((group) => group === 0);
    return isWellKnownNat64 ? lastTwo() : "closed";
  }
  if (isUniqueLocal(a)) return isMetadataV6(groups) ? "closed" : "private";
  if (!isGlobalUnicast(a)) return "closed";
  if (a === 0x2002) return classOfV4(toBytes(groups.slice(1, 3))); // 6to4
  if (a === 0x2001 && b < 0x200) return "closed"; // protocol assignments, Teredo, benchmarking
  if (a === 0x2001 && b === 0xdb8) return "closed"; // documentation
  if (a === 0x3fff && b < 0x1000) return "closed"; // documentation
  if (a === 0x2620 && b === 0x4f && c === 0x8000) return "closed"; // AS112
  return classOfTunnel(groups);
}

/**
 * ISATAP, and NAT64 below a prefix of the network's own, which nothing distinguishes from any other address: so those
 * that lead to an internal address are refused. Hardly any server has such an address by chance.
 */
function classOfTunnel(groups: readonly number[]): AddressClass {
  const bytes = toBytes(groups);
  const isIsatap = (groups[4] === 0 || groups[4] === 0x200) && groups[5] === 0x5efe;
  if (isIsatap) return classOfV4(bytes.slice(12));
  // RFC 6052: the address follows the prefix, around a byte of zeros, and is followed by zeros.
  const isMappedBelow = (prefixBytes: number) => {
    const after = bytes.filter((_, index) => index >= prefixBytes && index !== 8);
    return bytes[8] === 0 && after.slice(4).every((byte) => byte === 0) && isInternal(after.slice(0, 4));
  };
  const prefix = [4, 5, 6, 7, 8].find(isMappedBelow);
  if (prefix !== undefined) {
    return classOfV4(bytes.filter((_, index) => index >= prefix && index !== 8).slice(0, 4));
  }
  const isBelow96 = groups[4] === 0 && groups[5] === 0 && isInternal(bytes.slice(12));
  return isBelow96 ? classOfV4(bytes.slice(12)) : "public";
}

/** What a translator could lead to and should not: addresses of the network itself, and metadata services. */
function isInternal(bytes: readonly number[]): boolean {
  const [first, second] = bytes;
  if (classOfV4(bytes) === "private") return true;
  const isShared = first === 100 && classOfV4(bytes) === "closed";
  return isShared || (first === 169 && second === 254) || bytes.join(".") === "168.63.129.16";
}

function isUniqueLocal(firstGroup: number): boolean {
  return firstGroup >= 0xfc00 && firstGroup < 0xfe00;
}

function isGlobalUnicast(firstGroup: number): boolean {
  return firstGroup >= 0x2000 && firstGroup < 0x4000;
}

/** Cloud metadata services on unique local addresses: fd00:ec2::/32 and fd20:ce::/32. */
function isMetadataV6([a, b]: readonly number[]): boolean {
  return (a === 0xfd00 && b === 0xec2) || (a === 0xfd20 && b === 0xce);
}

function toBytes(groups: readonly number[]): number[] {
  return groups.flatMap((group) => [group >> 8, group & 0xff]);
}
