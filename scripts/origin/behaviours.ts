import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { feedContentTypes, feedFormats, feedText, numberedShow } from "./make-feed.ts";
import { openRepresentation, type Pace, type Representation } from "./representation.ts";

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The path after the behaviour's own segment. */
  readonly rest: string;
  readonly query: URLSearchParams;
  readonly folder: string;
  /** Paths that `cut-once` has already cut. */
  readonly cutPaths: Set<string>;
  /** When the trouble of a path began, in milliseconds. */
  readonly troubled: Map<string, number>;
  /** Responses that `alone` is sending. */
  readonly sending: Set<ServerResponse>;
}

type Behaviour = (exchange: Exchange) => Promise<void> | void;

/** What a source can do wrong, by the first segment of the path. */
export const behaviours: Readonly<Record<string, Behaviour>> = {
  /** Ignores Range. */
  "no-range": async (exchange) => {
    const representation = await open(exchange, false);
    await representation?.sendAll();
  },

  /** Half of the file, then silence on an open connection. */
  stall: async (exchange) => {
    const representation = await open(exchange);
    await representation?.send(half(representation));
  },

  /** Declares the full length and breaks the connection after half of it, every time. */
  cut: async (exchange) => {
    const representation = await open(exchange, false);
    await representation?.send(half(representation));
    exchange.response.destroy();
  },

  /** Breaks the first request for a path halfway; later ones are served normally, including Range. */
  "cut-once": async (exchange) => {
    const representation = await open(exchange);
    if (!representation) return;
    if (exchange.cutPaths.has(exchange.rest)) {
      await representation.sendAll();
      return;
    }
    exchange.cutPaths.add(exchange.rest);
    await representation.send(half(representation));
    exchange.response.destroy();
  },

  /**
   * `/restart/<file>?ms=500` breaks the first request halfway, and for so long afterwards every connection without an
   * answer.
   */
  restart: async (exchange) => {
    const { request, response, query, troubled } = exchange;
    const path = request.url ?? "";
    const since = troubled.get(path);
    if (since !== undefined && performance.now() - since < Number(query.get("ms") ?? 500)) {
      request.socket.destroy();
      return;
    }
    const representation = await open(exchange);
    if (since !== undefined) return representation?.sendAll();
    await representation?.send(half(representation));
    troubled.set(path, performance.now());
    response.destroy();
  },

  /** `/busy/<file>?status=429&ms=500&retry_after=` answers the status for so long from its first request on. */
  busy: async (exchange) => {
    const { request, response, query, troubled } = exchange;
    const path = request.url ?? "";
    const since = troubled.get(path) ?? performance.now();
    troubled.set(path, since);
    if (performance.now() - since < Number(query.get("ms") ?? 500)) {
      const retryAfter = query.get("retry_after");
      const status = Number(query.get("status") ?? 429);
      response.writeHead(status, retryAfter === null ? {} : { "retry-after": retryAfter }).end();
      return;
    }
    const representation = await open(exchange);
    await representation?.sendAll();
  },

  /** `/alone/<file>?status=403&bytes_per_second=` sends one response at a time, and the status, or `reset`, to others. */
  alone: async (exchange) => {
    const { request, response, query, sending } = exchange;
    const status = query.get("status") ?? "403";
    if (sending.size > 0) {
      if (status === "reset") request.socket.destroy();
      else response.writeHead(Number(status)).end();
      return;
    }
    sending.add(response);
    response.once("close", () => sending.delete(response));
    const representation = await open(exchange);
    await representation?.sendAll(paceOf(query));
  },

  /** `/slow/<file>?bytes_per_second=`: 100,000 without the query. */
  slow: async (exchange) => {
    const representation = await open(exchange);
    await representation?.sendAll(paceOf(exchange.query));
  },

  /** `/status/<code>`. */
  status: ({ response, rest }) => {
    response.writeHead(Number(rest), { "content-type": "text/plain" }).end(`status ${rest}\n`);
  },

  /** `/redirect?to=<url>` is a 302. */
  redirect: ({ response, query }) => {
    response.writeHead(302, { location: query.get("to") ?? "/" }).end();
  },

  /** `/garbage/<name>.mp4`: called a video, but is not one. */
  garbage: ({ response }) => {
    response.writeHead(200, { "content-type": "video/mp4", "content-length": garbage.length }).end(garbage);
  },

  /** `/feed/<format>?episodes=&media=`: a show whose episodes are `/episode/<number>/<media>`, 10 of `episode.mp3`. */
  feed: ({ request, response, rest, query }) => {
    const format = feedFormats.find((name) => name === rest) ?? "rss";
    const media = query.get("media") ?? "episode.mp3";
    const origin = `http://${request.headers.host}`;
    const show = numberedShow(
      Number(query.get("episodes") ?? 10),
      (number) => `${origin}/episode/${number}/${media}`,
    );
    response.writeHead(200, { "content-type": feedContentTypes[format] }).end(feedText(show, format));
  },

  /** `/episode/<number>/<file>` is `/<file>`. */
  episode: async ({ request, response, rest, folder }) => {
    const path = rest.replace(/^\d+\//, "");
    const representation = await openRepresentation({ request, response, folder, path, ranges: true });
    await representation?.sendAll();
  },

  /** A text without any media in it. */
  text: ({ response, rest }) => {
    response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end(`Only words: ${rest}\n`);
  },
};

const slicesPerSecond = 10;
/** Repeated text: no container starts like this, and every run gets the same. */
const garbage = Buffer.alloc(64 * 1024, "these bytes are not media; ");

function paceOf(query: URLSearchParams): Pace {
  const rate = Number(query.get("bytes_per_second") ?? 100_000);
  return {
    sliceBytes: Math.max(1, Math.round(rate / slicesPerSecond)),
    wait: () => sleep(1000 / slicesPerSecond),
  };
}

function open(exchange: Exchange, ranges = true): Promise<Representation | null> {
  const { request, response, folder, rest } = exchange;
  return openRepresentation({ request, response, folder, path: rest, ranges });
}

function half(representation: Representation): number {
  return Math.floor(representation.length / 2);
}
