import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { request, type Dispatcher } from "undici";
import { sourceUrlProblem, type AddressPolicy } from "../../contracts/address-rules.ts";
import { JobFailure } from "../pipeline/job.ts";
import { pause } from "../reporting/pause.ts";
import { decoderOf } from "./decoded-body.ts";
import {
  HostBusy,
  lingerMs,
  type Asking,
  type HostConnection,
  type HostConnections,
} from "./host-connections.ts";
import { interimAnswersMax, TooManyInterimAnswers } from "./interim-answers.ts";
import { failureOfNetworkError, failureOfStatus, RangeRefused, SourceDown } from "./network-failure.ts";
import { hostOf, linkMaxCharacters } from "./proxy-target.ts";
import { readRetryAfter } from "./retry-after.ts";

export interface OpenRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Silence this long, before or during the response, aborts it. Coarse: up to a second more. */
  readonly silenceMs: number;
  /**
   * If false, rejects with HostBusy when the host has no connection for it, or turns away this one while others deliver.
   * Otherwise waits its turn.
   */
  readonly mayWait?: boolean;
  /** Called when it starts waiting its turn, and when its turn has come. */
  readonly onTurn?: (isWaiting: boolean) => void;
}

/** A response with content, 200 or 206, whose body is still to be read. The body's errors are undici's. */
export interface OpenResponse {
  /** After redirects. */
  readonly url: string;
  /** What this address was asked with: without what was only for an earlier one, and with its cookies. */
  readonly sent: Headers;
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
export async function openResponse(url: string, asked: OpenRequest, way: Way): Promise<OpenResponse> {
  let next = url;
  let sent: Headers = {
    "user-agent": userAgent,
    ...lowerCased(asked.headers),
    "accept-encoding": "identity",
  };
  for (let hop = 0; hop <= redirectsMax; hop++) {
    if (sourceUrlProblem(next, way.policy, linkMaxCharacters) !== null)
      throw new JobFailure("unsupported_url");
    const { answer, connection } = await exchange(next, sent, asked, way);
    const location = redirectStatuses.has(answer.statusCode) ? answer.headers["location"] : undefined;
    if (location === undefined) return withContent(next, sent, answer, connection.wanted);
    discard(answer.body);
    const target = resolveLocation(location, next);
    const staysAtOrigin = new URL(target).origin === new URL(next).origin;
    sent = staysAtOrigin ? withCookies(sent, answer.headers["set-cookie"]) : forOtherOrigin(sent);
    next = target;
  }
  throw new JobFailure("unsupported_url", "too many redirects");
}

/** How long a request that was refused waits for being the only one to its host. */
const aloneMaxMs = 30_000;

interface Exchange {
  readonly answer: Dispatcher.ResponseData;
  /** Released when the answer's body closes. */
  readonly connection: HostConnection;
}

/**
 * One request, at its turn. Some hosts answer 403 to all but one connection: so a request that is refused while others
 * deliver is made again alone, and the second answer counts.
 */
async function exchange(url: string, sent: Headers, asked: OpenRequest, way: Way): Promise<Exchange> {
  const { signal, mayWait = true } = asked;
  const first = await exchangeOnce(url, sent, asked, way, mayWait ? { signal } : { signal, waitMs: 0 });
  if (first.answer.statusCode !== 403 || !first.connection.hasWorkingOthers()) return first;
  discard(first.answer.body);
  if (!mayWait) {
    first.connection.turnedAway(0);
    throw new HostBusy();
  }
  first.connection.release();
  try {
    return await exchangeOnce(url, sent, asked, way, { signal, waitMs: aloneMaxMs, isAlone: true });
  } catch (error) {
    if (error instanceof HostBusy) return first;
    throw error;
  }
}

async function exchangeOnce(
  url: string,
  sent: Headers,
  { silenceMs, mayWait, onTurn }: OpenRequest,
  { agent, connections }: Way,
  asking: Asking,
): Promise<Exchange> {
  const { signal } = asking;
  onTurn?.(true);
  const connection = await connections.take(hostOf(new URL(url)), asking);
  try {
    if (asking.isAlone === true) await pause(lingerMs, signal);
    onTurn?.(false);
    signal.throwIfAborted();
    const timeouts = { headersTimeout: silenceMs, bodyTimeout: silenceMs };
    const answer = await request(url, {
      dispatcher: agent,
      headers: sent,
      signal,
      onInfo: boundInterimAnswers(),
      ...timeouts,
    });
    answer.body.once("close", () => connection.release());
    const { statusCode, headers } = answer;
    const isBusy = statusCode === 429 || statusCode === 503;
    const isTurnedAway = isBusy && mayWait === false && connection.hasWorkingOthers();
    if (isBusy) connection.turnedAway(readRetryAfter(headers["retry-after"], Date.now()) ?? 0);
    else connection.answered(statusCode === 200 || statusCode === 206);
    if (!isTurnedAway) return { answer, connection };
    discard(answer.body);
    throw new HostBusy();
  } catch (error) {
    const failure = failureOfNetworkError(error);
    if (failure instanceof SourceDown && !signal.aborted) connection.turnedAway(0);
    const isTurnedAway = failure instanceof SourceDown && mayWait === false && connection.hasWorkingOthers();
    connection.release();
    signal.throwIfAborted();
    throw isTurnedAway ? new HostBusy() : failure;
  }
}

function boundInterimAnswers(): () => void {
  let interimAnswers = 0;
  return () => {
    interimAnswers += 1;
    if (interimAnswers > interimAnswersMax) throw new TooManyInterimAnswers();
  };
}

function withContent(
  url: string,
  sent: Headers,
  { statusCode, headers, body }: Dispatcher.ResponseData,
  wanted: Promise<void>,
): OpenResponse {
  const coding = headers["content-encoding"]?.toString() ?? "identity";
  const isCoded = coding !== "identity";
  const decode = decoderOf(coding);
  // A range of encoded content is not a range of the content.
  const hasNoRange = (statusCode === 416 && "range" in sent) || (statusCode === 206 && isCoded);
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
    sent,
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
