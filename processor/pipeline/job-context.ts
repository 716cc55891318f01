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

/** What all jobs of a node share. */
export interface JobTools {
  readonly network: Network;
  readonly downloader: Downloader;
  readonly downloadMemory: ByteBudget;
  readonly openStorage: OpenStorage;
  readonly partMemory: PartMemory;
  readonly diskBudget: DiskBudget;
  /** The node-wide limit for each stage. */
  readonly places: StagePlaces;
  /** Limits the programs that make subtitles and thumbnails, each of which briefly uses a whole core. */
  readonly sidecarPrograms: Places;
  /** Names or paths of the programs. */
  readonly ffmpeg: string;
  readonly ffprobe: string;
  /** Contains the jobs' folders. It exists. */
  readonly workFolder: string;
  /** Milliseconds from an arbitrary starting point; monotonic. */
  readonly now: () => number;
}

/** One run of one job, as its stages see it. */
export interface JobContext extends JobTools {
  readonly task: Task;
  readonly link: JobLink;
  readonly log: Log;
  /** Aborted when the job is stopped or reaches its time limit. */
  readonly signal: AbortSignal;
  /** The job's own folder. */
  readonly folder: string;
  /** Accounts for the files in that folder. */
  readonly disk: DiskAccount;
  readonly meter: ProgressMeter;
  readonly stages: Stages;
  readonly bucket: Bucket;
}
