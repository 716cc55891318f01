import type { Task } from "../../contracts/task.ts";
import type { Log } from "../log.ts";
import type { Workshop } from "../mux/media.ts";
import type { Network } from "../network/network.ts";

/** What work on a job's sidecars is done with. */
export interface SidecarContext extends Workshop {
  readonly task: Pick<Task, "limits">;
  readonly network: Network;
  readonly log: Log;
}
