import type { Ferry } from "../../client/ferry-client.ts";
import type { Origin } from "../origin/serve-origin.ts";
import type { ProgressView } from "./progress-view.ts";

/** What every part of the demo works with. */
export interface Around {
  readonly ferry: Ferry;
  readonly origin: Origin;
  /** For the files that are fetched. */
  readonly folder: string;
  readonly view: ProgressView;
  readonly signal: AbortSignal;
}

/** Between two looks at what runs. */
export const intervalMs = 250;
