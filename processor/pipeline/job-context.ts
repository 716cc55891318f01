import type { Task } from "../../contracts/task.ts";
import type { DiskAccount, DiskBudget } from "../disk/disk-budget.ts";
import type { Log } from "../log.ts";
import type { ByteBudget } from "../memory/byte-budget.ts";
import type { Network } from "../network/network.ts";
import type { Downloader } from "../source/downloader.ts";
import type { Bucket } from "../upload/bucket.ts";
import type { OpenStorage } from "../upload/open-storage.ts";
import type { PartMemory } from "../upload/part-memory.ts";
import type { Places, StagePlaces } from "../work/places.ts";
import type { JobLink } from "./job.ts";
import type { ProgressMeter } from "./progress-meter.ts";
import type { Stages } from "./stages.ts";

/** What every job on a node works with. */
export interface JobTools {
  readonly network: Network;
  readonly downloader: Downloader;
  readonly downloadMemory: ByteBudget;
  readonly openStorage: OpenStorage;
  readonly partMemory: PartMemory;
  readonly diskBudget: DiskBudget;
  /** The node's limits for each stage. */
  readonly places: StagePlaces;
  /** Of the programs that make subtitles and thumbnails, which each have a core at work for a moment. */
  readonly sidecarPrograms: Places;
  /** Names or paths of the programs. */
  readonly ffmpeg: string;
  readonly ffprobe: string;
  /** Where jobs get their folders; it exists. */
  readonly workFolder: string;
  /** Milliseconds from an arbitrary point on, never set back. */
  readonly now: () => number;
}

/** One run of one job, as its stages see it. */
export interface JobContext extends JobTools {
  readonly task: Task;
  readonly link: JobLink;
  readonly log: Log;
  /** Aborted when the job is stopped, and at its time limit. */
  readonly signal: AbortSignal;
  /** The job's own. */
  readonly folder: string;
  /** For what is written there. */
  readonly disk: DiskAccount;
  readonly meter: ProgressMeter;
  readonly stages: Stages;
  readonly bucket: Bucket;
}
