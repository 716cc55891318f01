import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { z } from "zod";

export interface ReceivedWebhook {
  readonly path: string;
  readonly body: string;
  readonly headers: Record<string, string>;
}

export interface WebhookReceiver {
  readonly url: string;
  /** In order of arrival. */
  readonly received: readonly ReceivedWebhook[];
  at(path: string): ReceivedWebhook[];
  close(): Promise<void>;
}

const addressSchema = z.object({ port: z.int() });

/**
 * A client's webhook server. `/flaky…` answers the first request to each path with 500, `/hangs…` never answers,
 * `/moved…` redirects to `/elsewhere`; everything else is answered with 204.
 */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const at = (path: string) => received.filter((webhook) => webhook.path === path);
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? "/", "http://receiver").pathname;
    received.push({
      path,
      body: await text(request),
      headers: z.record(z.string(), z.string()).parse(request.headers),
    });
    if (path.startsWith("/hangs")) return;
    if (path.startsWith("/moved")) response.writeHead(302, { location: "/elsewhere" });
    else response.writeHead(path.startsWith("/flaky") && at(path).length === 1 ? 500 : 204);
    response.end();
  };
  const server = createServer((request, response) => {
    receive(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${addressSchema.parse(server.address()).port}`,
    received,
    at,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
