import { Hono } from "hono";
import { requestIdHeader } from "../contracts/request-id.ts";
import { createApp } from "./app.ts";
import { consumeMessages } from "./consume-messages.ts";
import { type Dependencies, dependenciesOf, type Env } from "./dependencies.ts";
import { internalError } from "./http/http-errors.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { createLog, errorFields } from "./log.ts";
import { createInternalApp } from "./processor/internal-app.ts";

export { NodeRegistry } from "./cluster/node-registry.object.ts";
export { NodeContainer } from "./containers/node-container.object.ts";

/** Null if the deployment's settings are incomplete; the log then says which. */
function dependenciesOrNull(env: Env): Dependencies | null {
  try {
    return dependenciesOf(env);
  } catch (error) {
    createLog("error", Date.now).error("The Worker cannot start", errorFields(error));
    return null;
  }
}

/** Answers in that case: the other apps have nothing to run on yet. */
const unconfiguredApp = new Hono().use(securityHeaders).all("*", (c) => {
  const { message, code, status } = internalError(null);
  const requestId = crypto.randomUUID();
  return c.json({ error: message, code, request_id: requestId }, status, { [requestIdHeader]: requestId });
});

const app = createApp();
const internalApp = createInternalApp();

// The apps' bindings are the dependencies: a handler reads `c.env.database`, never the Worker's own Env.
export default {
  fetch(request, env, context) {
    const dependencies = dependenciesOrNull(env);
    if (dependencies === null) return unconfiguredApp.fetch(request);
    const isInternal = new URL(request.url).pathname.startsWith("/internal/");
    return (isInternal ? internalApp : app).fetch(request, dependencies, context);
  },
  async queue(batch, env, context) {
    await consumeMessages(batch, dependenciesOf(env), context);
  },
  async scheduled(_controller, env) {
    await dependenciesOf(env).registry.armSweep();
  },
} satisfies ExportedHandler<Env>;
