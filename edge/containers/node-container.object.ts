import { DurableObject } from "cloudflare:workers";
import { type Dependencies, dependenciesOf, type Env } from "../dependencies.ts";
import { errorFields } from "../log.ts";
import { containerAddress } from "./container-address.ts";
import { type ContainerLife, nextLifeStep } from "./container-life.ts";

const lifeKey = "life";
const nodePort = 8788;
const lookEveryMs = 30_000;
/** Longer than the interval between two checks: the platform stops a container that is no longer looked after. */
const forgottenAfterMs = 10 * lookEveryMs;
const terminate = 15;

/**
 * The keeper of one container with a node in it. Wakes it when told to, checks every half minute whether its node still
 * has work, and lets it sleep when it does not. It is not a source of truth: if this object dies halfway, its alarm is
 * repeated; if the alarm is lost, the platform stops the container after some minutes, and a lost node's jobs go to
 * others.
 */
export class NodeContainer extends DurableObject<Env> {
  readonly #dependencies: Dependencies;

  constructor(context: DurableObjectState, env: Env) {
    super(context, env);
    this.#dependencies = dependenciesOf(env);
  }

  /** Starts the container unless it is running; its node then announces itself by heartbeats. */
  async wake(name: string): Promise<void> {
    const { clock, settings, log } = this.#dependencies;
    const container = this.#container();
    if (!container.running) {
      const life: ContainerLife = { name, wokenAt: clock(), idleSince: null };
      await this.ctx.storage.put(lifeKey, life);
      container.start({ enableInternet: true, env: nodeEnvironment(settings, name) });
      log.info("A container was woken", { container: name });
    }
    await this.#lookAgain();
    await container.setInactivityTimeout(forgottenAfterMs);
  }

  /**
   * Passes a request on to the node, without ever waking it: what was meant for a node that is gone belongs elsewhere.
   */
  override async fetch(request: Request): Promise<Response> {
    const container = this.#container();
    if (!container.running) return new Response("The container sleeps", { status: 502 });
    return container.getTcpPort(nodePort).fetch(request);
  }

  override async alarm(): Promise<void> {
    const container = this.#container();
    if (!container.running) return;
    try {
      await this.#look(container);
    } catch (error) {
      this.#dependencies.log.error("A container check failed", errorFields(error));
    } finally {
      await this.#lookAgain();
    }
  }

  async #look(container: Container): Promise<void> {
    const { clock, registry, settings, log } = this.#dependencies;
    const life = await this.ctx.storage.get<ContainerLife>(lifeKey);
    if (life === undefined) return container.destroy();
    const { isLive, jobs } = await registry.nodeAt(containerAddress(life.name));
    const { containerIdleMs: idleMaxMs } = settings.limits;
    const step = nextLifeStep(life, { isLive, jobs }, { now: clock(), idleMaxMs });
    if (step.act === "keep") {
      await this.ctx.storage.put(lifeKey, { ...life, idleSince: step.idleSince });
      return container.setInactivityTimeout(forgottenAfterMs);
    }
    log.info("A container is put to sleep", { container: life.name, act: step.act });
    if (step.act === "stop") container.signal(terminate);
    else await container.destroy();
  }

  async #lookAgain(): Promise<void> {
    await this.ctx.storage.setAlarm(this.#dependencies.clock() + lookEveryMs);
  }

  #container(): Container {
    if (this.ctx.container === undefined) throw new Error("This deployment has no containers");
    return this.ctx.container;
  }
}

/** The variables that the node in a container reads at startup. Other settings are those of its image. */
function nodeEnvironment(settings: Dependencies["settings"], name: string): Record<string, string> {
  const [secret = "", previous] = settings.processorSecrets;
  return {
    EDGE_URL: settings.edgeUrl ?? "",
    PROCESSOR_SECRET: secret,
    ...(previous !== undefined && { PROCESSOR_SECRET_PREVIOUS: previous }),
    PUBLIC_ADDRESS: containerAddress(name),
    PORT: String(nodePort),
    LOG_LEVEL: settings.logLevel,
  };
}
