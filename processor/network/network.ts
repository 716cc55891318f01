import type { AddressPolicy } from "../../contracts/address-rules.ts";
import { createAddressGuard, resolveBySystem, type AddressGuard, type ResolveName } from "./address-guard.ts";
import { startEgressProxy } from "./egress-proxy.ts";
import { createHostConnections } from "./host-connections.ts";
import { createGuardedAgent } from "./guarded-agent.ts";
import { openResponse, type OpenRequest, type OpenResponse } from "./open-response.ts";
import { defaultPatience, type Patience } from "./patience.ts";

/** More than browsers open, and few enough for a source to bear. */
export const defaultConnectionsPerHost = 8;

/** The node's only way to reach what clients named: one for the whole process. */
export interface Network {
  /** GETs a URL; see `openResponse`. */
  open(url: string, request: OpenRequest): Promise<OpenResponse>;
  /** How long a job waits for a source that is busy or restarting. */
  readonly patience: Patience;
  /** For connections made by others. */
  readonly guard: AddressGuard;
  /** The filtering proxy for programs. */
  readonly proxyUrl: string;
  close(): Promise<void>;
}

/**
 * Starts the filtering proxy and opens the way out. `connectionsPerHost` limits the whole node, programs behind the
 * proxy included.
 */
export async function startNetwork(
  policy: AddressPolicy,
  resolveName: ResolveName = resolveBySystem,
  connectionsPerHost = defaultConnectionsPerHost,
  patience = defaultPatience,
): Promise<Network> {
  const connections = createHostConnections(connectionsPerHost, { patience });
  const guard = createAddressGuard(policy, resolveName);
  const agent = createGuardedAgent(guard);
  const proxy = await startEgressProxy(policy, guard, connections);
  return {
    open: (url, request) => openResponse(url, request, { agent, policy, connections }),
    patience,
    guard,
    proxyUrl: proxy.url,
    close: async () => {
      await Promise.all([agent.destroy(), proxy.close()]);
    },
  };
}
