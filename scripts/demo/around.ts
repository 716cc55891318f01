import type { Ferry } from "../../client/ferry-client.ts";
import type { Origin } from "../origin/serve-origin.ts";
import type { ProgressView } from "./progress-view.ts";

/** What every part of the demo works with. */
export interface Around {
  readonly ferry: Ferry;
  readonly origin: Origin;
  /** For downloaded files. */
  readonly folder: string;
  readonly view: ProgressView;
  readonly signal: AbortSignal;
}

/** Between two polls. */
export const intervalMs = 250;
