import { classOfV4, classOfV6, type AddressClass } from "./ip-ranges.ts";
import { urlMaxCharacters } from "./limits.ts";

/** `allowPrivateNetwork`: loopback, RFC 1918 and unique local addresses and all ports are open, as in a local setup. */
export interface AddressPolicy {
  readonly allowPrivateNetwork: boolean;
}

export type UrlProblem = "invalid" | "not_allowed";

/**
 * What is wrong with a URL given by a client, a redirect or a manifest, as far as its text tells; null if nothing is.
 * `invalid`: not an absolute http(s) URL of at most `maxCharacters` code points (2,048 in what a client sends), or with
 * a control character, credentials, or surrounding spaces. `not_allowed`: an address or port that may not be contacted. What a host name resolves to is
 * checked on connecting, with `isForbiddenAddress`.
 */
export function sourceUrlProblem(
  text: string,
  policy: AddressPolicy,
  maxCharacters = urlMaxCharacters,
): UrlProblem | null {
  if (/\p{Cc}| $/u.test(text) || !absoluteHttpUrl.test(text)) return "invalid";
  if (Array.from(text).length > maxCharacters) return "invalid";
  if (!URL.canParse(text)) return "invalid";
  const url = new URL(text);
  if (isForbiddenPort(url.port, policy)) return "not_allowed";
  return isForbiddenHost(url.hostname, policy) ? "not_allowed" : null;
}

/** A URL parser would repair missing or wrong slashes, and drop empty credentials. */
const absoluteHttpUrl = /^https?:\/\/[^/\\?#@]+(?:[/?#]|$)/i;

/** True for an IP address (without brackets) that may not be contacted, and for anything that is not an address. */
export function isForbiddenAddress(address: string, policy: AddressPolicy): boolean {
  if (!/^[\da-f:.]+$/i.test(address)) return true;
  const url = `http://${address.includes(":") ? `[${address}]` : address}/`;
  if (!URL.canParse(url)) return true;
  const literal = classOfLiteral(new URL(url).hostname);
  return literal === null || isForbidden(literal, policy);
}

/** Takes a host as a URL parser writes it: lower case, IPv4 dotted, IPv6 in brackets. */
function isForbiddenHost(hostname: string, policy: AddressPolicy): boolean {
  const literal = classOfLiteral(hostname);
  if (literal !== null) return isForbidden(literal, policy);
  return isForbidden(isLocalName(hostname) ? "private" : "public", policy);
}

function isForbidden(addressClass: AddressClass, policy: AddressPolicy): boolean {
  return addressClass === "closed" || (addressClass === "private" && !policy.allowPrivateNetwork);
}

/** Null if the host is a name. Only the parser's normalized form is known, to which it has converted all others. */
function classOfLiteral(hostname: string): AddressClass | null {
  if (hostname.startsWith("[")) return classOfV6(groupsOf(hostname.slice(1, -1)));
  if (/^\d+\.\d+\.\d+\.\d+$/.test(hostname)) return classOfV4(hostname.split(".").map(Number));
  return null;
}

function groupsOf(address: string): number[] {
  const [head = [], tail] = address.split("::").map((part) => (part === "" ? [] : part.split(":")));
  if (tail === undefined) return head.map(fromHex);
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  return [...head, ...zeros, ...tail].map(fromHex);
}

function fromHex(group: string): number {
  return Number.parseInt(group, 16);
}

/** `localhost` in all its forms: they may be resolved without a resolver. */
function isLocalName(hostname: string): boolean {
  return /(^|\.)(localhost|localhost\.localdomain|localhost6|ip6-localhost|ip6-loopback)\.*$/.test(hostname);
}

/** Ports from 1024 on that the Fetch standard blocks. */
const blockedPorts: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
]);

/** `port` as a URL parser gives it: empty for the scheme's default. */
function isForbiddenPort(port: string, policy: AddressPolicy): boolean {
  if (port === "" || policy.allowPrivateNetwork) return false;
  const number = Number(port);
  if (number === 80 || number === 443) return false;
  return number < 1024 || blockedPorts.has(number);
}
