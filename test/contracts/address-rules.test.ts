import * as fc from "fast-check";
import ipaddr from "ipaddr.js";
// @ts-expect-error -- the list used by fetch itself, which has no types
import { badPorts } from "undici/lib/web/fetch/constants.js";
import { describe, expect, test } from "vitest";
import { isForbiddenAddress, sourceUrlProblem } from "../../contracts/address-rules.ts";

const deployed = { allowPrivateNetwork: false };
const local = { allowPrivateNetwork: true };

describe("a source URL", () => {
  test.each([
    "https://example.com/watch?v=1",
    "http://example.com:8080/a.mp4",
    "http://example.com:443/",
    "https://8.8.8.8/",
    "https://[2606:4700::1111]/",
    "https://bücher.example/ü?q=ü#f",
    "https://localhost.example.com/",
    "https://10.example.com/",
    `https://example.com/${"😀".repeat(2000)}`,
  ])("may be %s", (url) => {
    expect(sourceUrlProblem(url, deployed)).toBeNull();
  });

  test.each([
    "",
    "-https://example.com/",
    "--batch-file=/etc/passwd",
    "example.com/a.mp4",
    "/a.mp4",
    "ftp://example.com/a.mp4",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:text/html,x",
    "https://user@example.com/",
    "https://user:secret@example.com/",
    "https://:secret@example.com/",
    "https://@example.com/",
    "https:example.com/",
    "https:/example.com/",
    "https:///example.com/",
    "https:\\\\example.com\\a.mp4",
    "https://example.com/\n",
    " https://example.com/",
    "https://example.com/ ",
    "https://exa\tmple.com/",
    "https://example.com/\u0000",
    "https://example.com/\u0085",
    "https://example.com:99999/",
    "https://[::1",
    "https://1.2.3.256/",
    `https://example.com/${"a".repeat(2029)}`,
  ])("is invalid as %j", (url) => {
    expect(sourceUrlProblem(url, deployed)).toBe("invalid");
    expect(sourceUrlProblem(url, local)).toBe("invalid");
  });

  const loopbackSpellings = [
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "017700000001",
    "127.255.255.254",
    "%31%32%37.0.0.1",
    "１２７.0.0.1",
    "127。0。0。1",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[64:ff9b::127.0.0.1]",
    "[2002:7f00:1::]",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "a.b.localhost",
    "a.localhost.",
    "ｌocalhost",
    "localhost.localdomain",
  ];
  test.each([...loopbackSpellings, "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "[fd12::1]"])(
    "may only contain %s in a local setup",
    (host) => {
      expect(sourceUrlProblem(`http://${host}/`, deployed)).toBe("not_allowed");
      expect(sourceUrlProblem(`http://${host}/`, local)).toBeNull();
    },
  );

  test.each([
    "169.254.169.254",
    "0xa9fea9fe",
    "[::ffff:169.254.169.254]",
    "[64:ff9b::a9fe:a9fe]",
    "[2002:a9fe:a9fe::]",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "0.0.0.0",
    "0",
    "224.0.0.1",
    "255.255.255.255",
    "[::]",
    "[::127.0.0.1]",
    "[::8.8.8.8]",
    "[::ffff:0:127.0.0.1]",
    "[fe80::1]",
    "[fec0::1]",
    "[ff02::1]",
    "[fd00:ec2::254]",
    "[fd20:ce::254]",
    "[2001::1]",
    "[2001:db8::1]",
    "[64:ff9b:1::10.0.0.1]",
    "[100::1]",
  ])("may never contain %s", (host) => {
    expect(sourceUrlProblem(`http://${host}/`, deployed)).toBe("not_allowed");
    expect(sourceUrlProblem(`http://${host}/`, local)).toBe("not_allowed");
  });

  test("may have port 80, 443 or any from 1024 that fetch does not block, and any port in a local setup", () => {
    const blocked = new Set(badPorts.map(Number));
    for (let port = 0; port <= 65_535; port++) {
      const open = port === 80 || port === 443 || (port >= 1024 && !blocked.has(port));
      expect(sourceUrlProblem(`https://example.com:${port}/`, deployed)).toBe(open ? null : "not_allowed");
      expect(sourceUrlProblem(`https://example.com:${port}/`, local)).toBeNull();
    }
  });

  test("is checked without throwing, for any input", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.webUrl()), fc.boolean(), (url, allow) => {
        const problem = sourceUrlProblem(url, { allowPrivateNetwork: allow });
        if (problem !== "invalid") expect(new URL(url).protocol).toMatch(/^https?:$/);
      }),
    );
  });
});

const internalV4 = [
  "10.0.0.1",
  "127.0.0.1",
  "169.254.169.254",
  "172.16.9.9",
  "192.168.1.1",
  "100.100.100.200",
];
const hexOf = (byte: number) => byte.toString(16).padStart(2, "0");
const colons = (digits: string) => digits.match(/.{4}/g)?.join(":") ?? "";

/** Addresses below prefixes that nobody registered, which a translator or tunnel leads to the IPv4 address given in digits. */
const tunnelForms: readonly ((v4: string) => string)[] = [
  (v4) => colons(`2a0000010002000300000000${v4}`),
  (v4) => colons(`2a0000010002000300005efe${v4}`),
  (v4) => colons(`2a0000010002000302005efe${v4}`),
  (v4) => colons(`2a0000010002000300${v4}000000`),
  (v4) => colons(`2a000001000200${v4.slice(0, 2)}00${v4.slice(2)}00000000`),
  (v4) => colons(`2a0000010002${v4.slice(0, 4)}00${v4.slice(4)}0000000000`),
  (v4) => colons(`2a00000100${v4.slice(0, 6)}00${v4.slice(6)}000000000000`),
  (v4) => colons(`2a000001${v4}0000000000000000`),
];

describe("an address", () => {
  test.each(internalV4)("%s is forbidden behind every form of tunnel, and a public one is not", (v4) => {
    const digits = ipaddr.IPv4.parse(v4).toByteArray().map(hexOf).join("");
    for (const form of tunnelForms) {
      expect([form(digits), isForbiddenAddress(form(digits), deployed)]).toEqual([form(digits), true]);
      expect(isForbiddenAddress(form("08080808"), deployed)).toBe(false);
    }
  });

  const anyV4 = fc.ipV4();
  const embedded = fc
    .tuple(fc.constantFrom("::ffff:", "64:ff9b::", "::", "::ffff:0:"), anyV4)
    .map(([a, b]) => a + b);
  const nearSpecial = fc
    .tuple(
      fc.constantFrom("2001", "2002", "fc00", "fd00", "fe80", "fec0", "ff02", "100", "3fff", "64"),
      fc.ipV6(),
    )
    .map(([first, rest]) =>
      ipaddr
        .parse(rest)
        .toNormalizedString()
        .replace(/^[^:]+/, first),
    );
  const tunnelled = fc
    .tuple(fc.constantFrom(...tunnelForms), fc.oneof(anyV4, fc.constantFrom(...internalV4)))
    .map(([form, v4]) => form(ipaddr.IPv4.parse(v4).toByteArray().map(hexOf).join("")));
  const anyAddress = fc.oneof(anyV4, fc.ipV6(), embedded, nearSpecial, tunnelled);

  test("is allowed exactly if an independent classification says that it is public", () => {
    fc.assert(
      fc.property(anyAddress, (address) => {
        expect(isForbiddenAddress(address, deployed)).toBe(!oracleSaysPublic(address));
      }),
      { numRuns: 20_000 },
    );
  });

  test("is also allowed in a local setup if it is private, loopback or unique local", () => {
    fc.assert(
      fc.property(anyAddress, (address) => {
        const opened = isForbiddenAddress(address, deployed) && !isForbiddenAddress(address, local);
        if (opened) expect(rangeOf(address)).toMatch(/^(private|loopback|uniqueLocal)$/);
        if (!isForbiddenAddress(address, deployed)) expect(isForbiddenAddress(address, local)).toBe(false);
      }),
      { numRuns: 20_000 },
    );
  });

  test.each([
    "",
    "example.com",
    "localhost",
    "fe80::1%eth0",
    "1.2.3.4:80",
    "8.8.8.8/",
    "[::1]",
    "1.2.3.4@8.8.8.8",
  ])("%j is not one, and forbidden", (text) => {
    expect(isForbiddenAddress(text, local)).toBe(true);
  });
});

/** The range of the address, or of the IPv4 address embedded in it. */
function rangeOf(address: string): string {
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.range();
  const bytes = parsed.toByteArray();
  const range = parsed.range();
  if (range === "ipv4Mapped") return parsed.toIPv4Address().range();
  if (range === "6to4") return ipaddr.fromByteArray(bytes.slice(2, 6)).range();
  const isNat64 = parsed.match(ipaddr.IPv6.parse("64:ff9b::"), 96);
  if (isNat64) return ipaddr.fromByteArray(bytes.slice(12)).range();
  return range === "unicast" ? (rangeBehindTunnel(Buffer.from(bytes).toString("hex")) ?? range) : range;
}

/** RFC 6052's figure of where an address may be below a prefix of 32 to 96 bits, as patterns of digits. */
const nat64Forms = [
  /^.{8}(.{8})0{16}$/,
  /^.{10}(.{6})00(..)0{12}$/,
  /^.{12}(.{4})00(.{4})0{10}$/,
  /^.{14}(..)00(.{6})0{8}$/,
  /^.{16}00(.{8})0{6}$/,
  /^.{16}0{8}(.{8})$/,
];

/** The range of an IPv4 address that the IPv6 address may lead to, if that is internal; null otherwise. */
function rangeBehindTunnel(digits: string): string | null {
  const [, isatap] = /^.{16}0[02]005efe(.{8})$/.exec(digits) ?? [];
  if (isatap !== undefined) return rangeOfDigits(isatap);
  for (const form of nat64Forms) {
    const [, first = "", second = ""] = form.exec(digits) ?? [];
    const range = first === "" ? "" : rangeOfDigits(first + second);
    if (/^(private|loopback|linkLocal|carrierGradeNat)$/.test(range)) return range;
  }
  return null;
}

function rangeOfDigits(digits: string): string {
  return ipaddr.fromByteArray([...Buffer.from(digits, "hex")]).range();
}

/**
 * The oracle treats unassigned IPv6 space as unicast, although only 2000::/3 is assigned, and a deprecated
 * IPv4-compatible address as an IPv4-mapped one.
 */
function oracleSaysPublic(address: string): boolean {
  if (/^[0:]+:\d+\.[\d.]+$/.test(address)) return false;
  if (rangeOf(address) !== "unicast") return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return true;
  const carriesV4 = ["ipv4Mapped", "6to4", "rfc6052"].includes(parsed.range());
  return carriesV4 || parsed.match(ipaddr.IPv6.parse("2000::"), 3);
}
