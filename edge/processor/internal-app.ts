import { Hono, type Context, type HonoRequest } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { z } from "zod";
import { heartbeatSchema } from "../../contracts/heartbeat.ts";
import { isNodeLink } from "../../contracts/node-link.ts";
import { reportRequestSchema } from "../../contracts/report.ts";
import { requestIdHeader } from "../../contracts/request-id.ts";
import { internalPaths, readSignedHeaders, type SignedHeaders } from "../../contracts/signed-message.ts";
import type { Dependencies } from "../dependencies.ts";
import { diagnose } from "../diagnosis/diagnose.ts";
import { errorFields } from "../log.ts";
import { isOverload, overloadRestSeconds } from "../platform-errors.ts";
import { handleReports } from "./handle-reports.ts";
import { isSignedByNode, messageOfNode, signAnswer } from "./signature.ts";

type InternalEnv = { Bindings: Dependencies };

const bodyMaxBytes = 4 * 1024 * 1024;

/**
 * The endpoints for nodes and for the doctor. Reveals nothing to a request that is not signed with one of the shared
 * secrets.
 */
export function createInternalApp(): Hono<InternalEnv> {
  const app = new Hono<InternalEnv>();

  app.use(async (c, next) => {
    c.header(requestIdHeader, c.env.requestId);
    return signedHeadersOf(c) === null ? invalidSignature(c) : next();
  });
  app.use(
    bodyLimit({ maxSize: bodyMaxBytes, onError: (c) => c.json({ error: "Request body too large" }, 413) }),
  );
  app.use(async (c, next) => {
    const signed = signedHeadersOf(c);
    const { pathname, search } = new URL(c.req.url);
    const path = pathname + search;
    const body = new Uint8Array(await c.req.arrayBuffer());
    const { processorSecrets } = c.env.settings;
    const isSigned =
      signed !== null &&
      (await isSignedByNode({ method: c.req.method, path, signed, body }, processorSecrets));
    if (!isSigned) return invalidSignature(c);
    await next();
    const request = await messageOfNode({ method: c.req.method, path, signed, body });
    const answer = new Uint8Array(await c.res.clone().arrayBuffer());
    const headers = await signAnswer({ request, status: c.res.status, body: answer }, processorSecrets);
    for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
    return undefined;
  });
  app.onError((error, c) => {
    c.env.log.error("An internal request failed", { path: c.req.path, ...errorFields(error) });
    if (isOverload(error))
      return c.json({ error: "Overloaded" }, 503, { "retry-after": String(overloadRestSeconds) });
    return c.json({ error: "Internal server error" }, 500);
  });
  app.notFound((c) => c.json({ error: "Not found" }, 404));

  app.post(internalPaths.heartbeat, async (c) => {
    const heartbeat = await messageOf(c.req, heartbeatSchema);
    if (heartbeat === null) return c.json({ error: "Invalid heartbeat" }, 400);
    if (!isNodeLink(heartbeat.address, c.env.settings))
      return c.json({ error: "The node's address must be https" }, 400);
    return c.json(await c.env.registry.heartbeat(heartbeat));
  });

  app.post(internalPaths.reports, async (c) => {
    const request = await messageOf(c.req, reportRequestSchema);
    if (request === null) return c.json({ error: "Invalid reports" }, 400);
    return c.json(await handleReports(c.env, request));
  });

  app.post(internalPaths.diagnosis, async (c) => c.json(await diagnose(c.env)));

  return app;
}

function signedHeadersOf({ req, env }: Context<InternalEnv>): SignedHeaders | null {
  return readSignedHeaders((name) => req.header(name), env.clock());
}

function invalidSignature(c: Context<InternalEnv>): Response {
  return c.json({ error: "Invalid signature" }, 401);
}

/** The parsed body; null if it is not JSON, or does not match the schema. */
async function messageOf<Schema extends z.ZodType>(
  request: HonoRequest,
  schema: Schema,
): Promise<z.output<Schema> | null> {
  const text = await request.text();
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
