import { edgeProgram, edgeUrl } from "./edge.ts";
import type { Program } from "./process-group.ts";
import type { SystemSettings } from "./settings.ts";

/** How the Worker and what it is bound to are run on this machine. */
export interface EdgeRunner {
  /** Throws a Problem for settings that the edge would not work with. */
  describe(settings: SystemSettings, secret: string, logFile: string): Promise<DescribedEdge>;
}

interface DescribedEdge {
  readonly program: Program;
  readonly url: string;
  /** Where the local bucket's files are served. */
  readonly storageUrl: string;
}

/** Runs the edge as developers do, with `wrangler dev`. */
export const onWrangler: EdgeRunner = {
  async describe(settings, secret, logFile) {
    const url = edgeUrl(settings);
    return { program: await edgeProgram(settings, secret, logFile), url, storageUrl: url };
  },
};
