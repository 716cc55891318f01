import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { request, type Dispatcher } from "undici";
import { sourceUrlProblem, type AddressPolicy } from "../../contracts/address-rules.ts";
import { JobFailure } from "../pipeline/job.ts";
import { decoderOf } from "./decoded-body.ts";
import type { HostConnections } from "./host-connections.ts";
import { interimAnswersMax, TooManyInterimAnswers } from "./interim-answers.ts";
import { failureOfNetworkError, failureOfStatus, RangeRefused } from "./network-failure.ts";
import { readRetryAfter } from "./retry-after.ts";

export interface OpenRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Silence this long, before or during the response, aborts it. Coarse: up to a second more. */
  readonly silenceMs: number;
  /** If false, rejects with HostBusy when all connections to the host are in use. Otherwise waits its turn. */
  readonly mayWait?: boolean;
  /** Called when it starts waiting its turn, and when its turn has come. */
  readonly onTurn?: (isWaiting: boolean) => void;
}

/** A response with content, 200 or 206, whose body is still to be read. The body's errors are undici's. */
export interface OpenResponse {
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The declared length of the body in bytes; null if not declared, or if the body has a content coding. */
  readonly length: number | null;
  /** Resolves when others are waiting for a connection to the host, and it would be fair to let go of this one soon. */
  readonly wanted: Promise<void>;
  /** The connection is occupied until this closes. */
  readonly body: Readable;
}

interface Way {
  readonly agent: Dispatcher;
  readonly policy: AddressPolicy;
  readonly connections: HostConnections;
}

const redirectsMax = 10;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Some sites reject anything that does not look like a browser. */
const userAgent = "Mozilla/5.0 (compatible; Ferry)";

/**
 * GETs a URL, following redirects and checking each. Rejects with JobFailure for anything but content, and with the
 * signal's reason when aborted.
 */
export async function openResponse(
  url: string,
  { headers, signal, silenceMs, mayWait = true, onTurn }: OpenRequest,
  { agent, policy, connections }: Way,
): Promise<OpenResponse> {
  let next = url;
  let sent: Headers = { "user-agent": userAgent, ...lowerCased(headers), "accept-encoding": "identity" };
  for (let hop = 0; hop <= redirectsMax; hop++) {
    if (sourceUrlProblem(next, policy) !== null) throw new JobFailure("unsupported_url");
    onTurn?.(true);
    const connection = await connections.take(new URL(next).host, { signal, mayWait });
    onTurn?.(false);
    let interimAnswers = 0;
    const answer = await request(next, {
      dispatcher: agent,
      headers: sent,
      signal,
      onInfo: () => {
        interimAnswers += 1;
        if (interimAnswers > interimAnswersMax) throw new TooManyInterimAnswers();
      },
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
    }).catch((error: unknown) => {
      connection.release();
      signal.throwIfAborted();
      throw failureOfNetworkError(error);
    });
    answer.body.once("close", () => connection.release());
    const location = redirectStatuses.has(answer.statusCode) ? answer.headers["location"] : undefined;
    if (location === undefined) return withContent(next, answer, "range" in sent, connection.wanted);
    discard(answer.body);
    const target = resolveLocation(location, next);
    const staysAtOrigin = new URL(target).origin === new URL(next).origin;
    sent = staysAtOrigin ? withCookies(sent, answer.headers["set-cookie"]) : forOtherOrigin(sent);
    next = target;
  }
  throw new JobFailure("unsupported_url", "too many redirects");
}

function withContent(
  url: string,
  { statusCode, headers, body }: Dispatcher.ResponseData,
  isRanged: boolean,
  wanted: Promise<void>,
): OpenResponse {
  const coding = headers["content-encoding"]?.toString() ?? "identity";
  const isCoded = coding !== "identity";
  const decode = decoderOf(coding);
  // A range of encoded content is not a range of the content.
  const hasNoRange = (statusCode === 416 && isRanged) || (statusCode === 206 && isCoded);
  const waitMs = readRetryAfter(headers["retry-after"], Date.now());
  const failure = hasNoRange ? new RangeRefused() : failureOfStatus(statusCode, waitMs);
  if (failure !== null || decode === null) {
    discard(body);
    throw failure ?? new JobFailure("unsupported_url", "the response has an unknown content encoding");
  }
  const decoded = decode(body);
  // An abort can come while nobody is reading; any reader gets the error from the pipeline.
  decoded.on("error", () => {});
  const length = headers["content-length"];
  const isLengthOfContent = length !== undefined && !isCoded;
  return {
    url,
    status: statusCode,
    headers,
    length: isLengthOfContent ? Number(length) : null,
    wanted,
    body: decoded,
  };
}

/** Ends a response that nobody reads; its errors no longer matter. */
export function discard(body: Readable): void {
  body.on("error", () => {});
  body.destroy();
}

/** A header arrives as Latin-1, but many servers write UTF-8 into it. */
function resolveLocation(location: string | string[], base: string): string {
  const [header = ""] = [location].flat();
  const bytes = Buffer.from(header, "latin1");
  const text = isUtf8(bytes) ? bytes.toString() : header;
  if (!URL.canParse(text, base)) throw new JobFailure("unsupported_url", "a redirect has an invalid address");
  return new URL(text, base).href;
}

type Headers = Readonly<Record<string, string>>;

function lowerCased(headers: Headers = {}): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Any other header may be a credential, by whatever name, and one origin's are not for the next. */
const harmlessHeaders: ReadonlySet<string> = new Set([
  "user-agent",
  "accept",
  "accept-language",
  "accept-encoding",
  "range",
  "if-range",
  "sec-fetch-mode",
]);

/** As a browser does, with no more of the referring address than its origin. */
function forOtherOrigin({ referer, ...headers }: Headers): Headers {
  const harmless = Object.entries(headers).filter(([name]) => harmlessHeaders.has(name));
  const from = URL.parse(referer ?? "")?.origin;
  return { ...Object.fromEntries(harmless), ...(from === undefined ? {} : { referer: `${from}/` }) };
}

/** Some sites redirect until a cookie they set comes back. A cookie's attributes do not matter within one request. */
function withCookies(headers: Headers, setCookie: string | string[] = []): Headers {
  const set = [setCookie].flat().map((cookie) => cookie.split(";")[0] ?? "");
  if (set.length === 0) return headers;
  const had = headers["cookie"]?.split("; ") ?? [];
  const byName = new Map([...had, ...set].map((pair) => [pair.split("=")[0], pair]));
  return { ...headers, cookie: [...byName.values()].join("; ") };
}
