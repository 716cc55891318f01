import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listeningPort } from "../../../../processor/network/listening-port.ts";
import { openRepresentation } from "../../../../scripts/origin/representation.ts";

/** What a path of a shape answers: a web page, a response, or what the function does. */
export type Reply =
  | string
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string | Buffer }
  | ((request: IncomingMessage, response: ServerResponse) => void | Promise<void>);

/** Addresses that a shape's replies refer to, without trailing slashes. */
export interface Places {
  /** The media made for the tests. */
  readonly media: string;
  /** The shape's own paths. */
  readonly own: string;
}

export interface ShapeHost {
  readonly url: string;
  /** Paths asked for so far, with the User-Agent. */
  readonly asked: { path: string; agent: string }[];
  /** Serves these replies by path, instead of those before. */
  serve(replies: Readonly<Record<string, Reply>>): void;
  /** Sends a file of the media as any file server would. */
  sendMedia(
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
    ranges?: boolean,
  ): Promise<void>;
  close(): Promise<void>;
}

/** A host whose paths below `/media` are the files of a folder, and all others what a test wants. */
export async function startShapeHost(folder: string): Promise<ShapeHost> {
  let replies: Readonly<Record<string, Reply>> = {};
  const asked: { path: string; agent: string }[] = [];

  async function sendMedia(
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
    ranges = true,
  ): Promise<void> {
    const representation = await openRepresentation({ request, response, folder, path, ranges });
    await representation?.sendAll();
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? "/", "http://host");
    const path = decodeURIComponent(pathname);
    asked.push({ path: path + search, agent: request.headers["user-agent"] ?? "" });
    if (path.startsWith("/media/")) {
      await sendMedia(path.slice("/media/".length), request, response);
      return;
    }
    const reply = replies[path + search] ?? replies[path];
    if (reply === undefined) response.writeHead(404, { "content-type": "text/html" }).end("<p>not here</p>");
    else if (typeof reply === "function") await reply(request, response);
    else if (typeof reply === "string") response.writeHead(200, { "content-type": "text/html" }).end(reply);
    else response.writeHead(reply.status ?? 200, reply.headers).end(reply.body);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${listeningPort(server)}`,
    asked,
    serve: (next) => {
      replies = next;
    },
    sendMedia,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
