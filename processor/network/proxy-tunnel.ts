import { connect } from "node:net";
import { pipeline, type Duplex } from "node:stream";
import { idleTimeoutMs, proxyRefusals, refusalOf, UpstreamSilent, type Refusal } from "./proxy-refusals.ts";
import { targetOf, type EgressRules } from "./proxy-target.ts";

const connectTimeoutMs = 20_000;

/**
 * Answers CONNECT: connects the client with the host and port of `authority`; `head` is what it has already sent.
 * Returns the socket that has to be closed for the tunnel to end.
 */
export function openTunnel(authority: string, client: Duplex, head: Buffer, rules: EgressRules): Duplex {
  // With a path in it, it could end in a port that was not checked.
  const target = /[/?#]/.test(authority) ? null : targetOf(`https://${authority}/`, rules);
  if (target === null) {
    refuseTunnel(client, proxyRefusals.forbidden);
    return client;
  }
  const upstream = connect({ ...target, lookup: rules.guard.lookup });
  const failedToConnect = (error: Error) => refuseTunnel(client, refusalOf(error));
  upstream.once("error", failedToConnect);
  upstream.setTimeout(connectTimeoutMs, () => upstream.destroy(new UpstreamSilent()));
  upstream.once("connect", () => {
    upstream.off("error", failedToConnect);
    upstream.setTimeout(idleTimeoutMs);
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    upstream.write(head);
    join(client, upstream);
  });
  return upstream;
}

/** Passes on what each sends to the other, until the source has ended or either fails. */
function join(client: Duplex, upstream: Duplex): void {
  const endBoth = () => {
    client.destroy();
    upstream.destroy();
  };
  pipeline(client, upstream, (error) => error && endBoth());
  pipeline(upstream, client, endBoth);
}

/** Answers CONNECT with a refusal. */
export function refuseTunnel(client: Duplex, { status, reason }: Refusal): void {
  client.end(`HTTP/1.1 ${status} ${reason}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
}
