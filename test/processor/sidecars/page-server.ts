import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { listeningPort } from "../../../processor/network/listening-port.ts";

/** A server of one page with a film, its subtitles and its poster. */
export interface PageServer {
  readonly url: string;
  /** How often each path was requested. */
  readonly requests: Map<string, number>;
  /** The file to serve as the poster from now on. */
  setPoster(name: string): void;
  close(): Promise<void>;
}

const beside = ["/fr.vtt", "/poster.png"];

const pageOf = (film: string) => `<!doctype html><html><head><title>A film</title></head><body>
<video poster="/poster.png"><source src="/${film}" type="video/mp4">
<track kind="subtitles" srclang="fr" src="/fr.vtt"></video></body></html>
`;

/**
 * Serves the files of `folder`. The second half of the film is sent once everything else the page lists has been
 * requested: never, for a client that downloads the film first.
 */
export async function servePage(folder: string, film: string): Promise<PageServer> {
  const requests = new Map<string, number>();
  const answered = new Set<string>();
  const allAnswered = Promise.withResolvers<void>();
  let poster = "poster.png";

  async function answer(path: string, response: ServerResponse): Promise<void> {
    if (path === "/") {
      response.writeHead(200, { "content-type": "text/html" }).end(pageOf(film));
      return;
    }
    const bytes = await readFile(join(folder, path === "/poster.png" ? poster : path));
    if (path === `/${film}`) {
      response.writeHead(200, { "content-type": "video/mp4", "content-length": bytes.length });
      response.write(bytes.subarray(0, bytes.length / 2));
      await allAnswered.promise;
      response.end(bytes.subarray(bytes.length / 2));
      return;
    }
    response.end(bytes);
  }

  const server = createServer(({ url: path = "/" }, response) => {
    requests.set(path, (requests.get(path) ?? 0) + 1);
    response.once("finish", () => {
      answered.add(path);
      if (beside.every((each) => answered.has(each))) allAnswered.resolve();
    });
    answer(path, response).catch(() => response.writeHead(404).end());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${listeningPort(server)}/`,
    requests,
    setPoster(name) {
      poster = name;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
