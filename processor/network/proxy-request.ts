import { request, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { pipeline } from "node:stream";
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
  "upgrade",
]);

/** Answers a plain request in absolute form with the source's answer, after `onAnswer` was told of it. */
export function forwardRequest(
  asked: IncomingMessage,
  answer: ServerResponse,
  rules: EgressRules,
  onAnswer: (got: IncomingMessage) => void,
): void {
  const url = asked.url ?? "";
  const refuse = ({ status, reason }: Refusal) => {
    if (answer.headersSent) answer.destroy();
    else answer.writeHead(status, reason).end();
  };
  const target = url.startsWith("http://") ? targetOf(url, rules) : null;
  if (target === null) {
    refuse(proxyRefusals.forbidden);
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
  upstream.on("timeout", () => upstream.destroy(new UpstreamSilent()));
  upstream.on("error", (error) => refuse(refusalOf(error)));
  upstream.on("response", (got) => {
    onAnswer(got);
    answer.writeHead(got.statusCode ?? 502, got.statusMessage, passedOn(got.headers));
    pipeline(got, answer, () => upstream.destroy());
  });
  answer.on("close", () => upstream.destroy());
  pipeline(asked, upstream, (error) => error && refuse(proxyRefusals.unreachable));
}

function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopHeaders.has(name)));
}
