import type { Task } from "../../contracts/task.ts";
import type { DiskAccount } from "../disk/disk-budget.ts";
import type { Log } from "../log.ts";
import type { Workshop } from "../mux/media.ts";
import type { Network } from "../network/network.ts";
import type { Places } from "../work/places.ts";

/** What a job's sidecars are made with. */
export interface SidecarContext extends Workshop {
  readonly task: Pick<Task, "limits">;
  readonly network: Network;
  readonly disk: Pick<DiskAccount, "take">;
  /** The node-wide limit on programs that make sidecars. */
  readonly sidecarPrograms: Pick<Places, "within">;
  readonly log: Log;
}
