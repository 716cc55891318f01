import { request, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { interimAnswersMax, TooManyInterimAnswers } from "./interim-answers.ts";
import { idleTimeoutMs, proxyRefusals, refusalOf, UpstreamSilent, type Refusal } from "./proxy-refusals.ts";
import { targetOf, type EgressRules } from "./proxy-target.ts";

/** Hop-by-hop headers, which are not passed on. */
const hopHeaders: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Answers a plain request in absolute form with the source's status, headers and body, after `onAnswer` was told of them.
 * The source's reason phrase is left out: it may contain anything, and means nothing.
 */
export function forwardRequest(
  asked: IncomingMessage,
  answer: ServerResponse,
  rules: EgressRules,
  onAnswer: (got: IncomingMessage) => void,
): void {
  const url = asked.url ?? "";
  const target = url.startsWith("http://") ? targetOf(url, rules) : null;
  if (target === null) {
    refuse(answer, proxyRefusals.forbidden);
    return;
  }
  const { pathname, search } = new URL(url);
  const upstream = request({
    ...target,
    path: pathname + search,
    method: asked.method,
    headers: passedOn(asked.headers),
    lookup: rules.guard.lookup,
    agent: false,
    timeout: idleTimeoutMs,
  });
  let got: IncomingMessage | null = null;
  let interimAnswers = 0;
  upstream.on("timeout", () => upstream.destroy(new UpstreamSilent()));
  upstream.on("information", () => {
    interimAnswers += 1;
    if (interimAnswers > interimAnswersMax) upstream.destroy(new TooManyInterimAnswers());
  });
  upstream.on("error", (error) => {
    // What follows a complete answer does not matter.
    if (got?.complete !== true) refuse(answer, refusalOf(error));
  });
  upstream.on("upgrade", (_, socket) => {
    socket.destroy();
    refuse(answer, proxyRefusals.malformed);
  });
  upstream.on("response", (response) => {
    got = response;
    onAnswer(response);
    if (beginAnswer(response, answer)) {
      pipeline(response, answer, () => upstream.destroy());
    } else {
      refuse(answer, proxyRefusals.malformed);
      upstream.destroy();
    }
  });
  answer.on("close", () => upstream.destroy());
  pipeline(asked, upstream, (error) => error && refuse(answer, proxyRefusals.unreachable));
}

/** Writes a source's status and headers; false for those that no server may send. */
function beginAnswer({ statusCode = 0, headers }: IncomingMessage, answer: ServerResponse): boolean {
  if (statusCode < 200 || statusCode > 599) return false;
  try {
    answer.writeHead(statusCode, passedOn(headers));
    return true;
  } catch {
    return false;
  }
}

/** A program whose answer has already begun sees its connection break. */
function refuse(answer: ServerResponse, { status, reason }: Refusal): void {
  if (answer.headersSent) answer.destroy();
  else answer.writeHead(status, reason).end();
}

function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopHeaders.has(name)));
}
