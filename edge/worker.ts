import { createApp } from "./app.ts";
import { noteDeadLetters } from "./dead-letters.consumer.ts";
import { type Dependencies, dependenciesOf, type Env } from "./dependencies.ts";
import { consumeWakeUps } from "./dispatch/jobs.consumer.ts";
import { internalError } from "./http/http-errors.ts";
import { createLog, errorFields } from "./log.ts";
import { createInternalApp } from "./processor/internal-app.ts";
import { consumeWebhookWakeUps } from "./webhooks/webhooks.consumer.ts";

export { NodeRegistry } from "./cluster/node-registry.object.ts";
export { NodeContainer } from "./containers/node-container.object.ts";

/** Null when the deployment's settings are not complete; the log then says which. */
function dependenciesOrNull(env: Env): Dependencies | null {
  try {
    return dependenciesOf(env);
  } catch (error) {
    createLog("error", Date.now).error("The Worker cannot start", errorFields(error));
    return null;
  }
}

function notConfigured(): Response {
  const { message, code, status } = internalError(null);
  return Response.json({ error: message, code, request_id: crypto.randomUUID() }, { status });
}

const app = createApp();
const internalApp = createInternalApp();

// The apps' bindings are the dependencies: a handler reads `c.env.database`, and never the Worker's own Env.
export default {
  fetch(request, env, context) {
    const dependencies = dependenciesOrNull(env);
    if (dependencies === null) return notConfigured();
    const isInternal = new URL(request.url).pathname.startsWith("/internal/");
    return (isInternal ? internalApp : app).fetch(request, dependencies, context);
  },
  async queue(batch, env, context) {
    const dependencies = dependenciesOf(env);
    if (batch.queue.endsWith("-dead")) return noteDeadLetters(batch, dependencies);
    // Queues are named after their environment: ferry-webhooks, ferry-staging-webhooks.
    if (batch.queue.endsWith("-webhooks")) await consumeWebhookWakeUps(batch, dependencies, context);
    else await consumeWakeUps(batch, dependencies);
  },
  async scheduled(_controller, env) {
    await dependenciesOf(env).registry.armSweep();
  },
} satisfies ExportedHandler<Env>;
