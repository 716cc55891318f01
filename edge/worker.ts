import { createApp } from "./app.ts";
import { dependenciesOf, type Env } from "./dependencies.ts";
import { consumeWakeUps } from "./dispatch/jobs.consumer.ts";
import { createInternalApp } from "./processor/internal-app.ts";
import { consumeWebhookWakeUps } from "./webhooks/webhooks.consumer.ts";

export { NodeRegistry } from "./cluster/node-registry.object.ts";

const app = createApp();
const internalApp = createInternalApp();

// The apps' bindings are the dependencies: a handler reads `c.env.database`, and never the Worker's own Env.
export default {
  fetch(request, env, context) {
    const isInternal = new URL(request.url).pathname.startsWith("/internal/");
    return (isInternal ? internalApp : app).fetch(request, dependenciesOf(env), context);
  },
  async queue(batch, env, context) {
    const dependencies = dependenciesOf(env);
    if (batch.queue === "ferry-webhooks") await consumeWebhookWakeUps(batch, dependencies, context);
    else await consumeWakeUps(batch, dependencies);
  },
  async scheduled(_controller, env) {
    await dependenciesOf(env).registry.armSweep();
  },
} satisfies ExportedHandler<Env>;
