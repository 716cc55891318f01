import { Hono } from "hono";
import type { Env } from "../../../edge/dependencies.ts";
import ferry from "../../../edge/worker.ts";

export { NodeContainer, NodeRegistry } from "../../../edge/worker.ts";

const barePath = "/bare/";
const bare = new Hono<{ Bindings: Env }>();

/** What no read of a job can do without: routing, one indexed read, one JSON response. */
bare.get(`${barePath}:account/:id`, async (c) => {
  const { account, id } = c.req.param();
  const read = c.env.DB.prepare("SELECT * FROM jobs WHERE account_id = ? AND id = ?");
  return c.json(await read.bind(account, id).first());
});

/** The edge as it is deployed, and next to it the bare handler, in one isolate on one database. */
export default {
  ...ferry,
  fetch(request, env, context) {
    const isBare = new URL(request.url).pathname.startsWith(barePath);
    return isBare ? bare.fetch(request, env, context) : ferry.fetch(request, env, context);
  },
} satisfies typeof ferry;
