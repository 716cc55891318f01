import { z } from "zod";
import { type EncodingOptions, encodingOptionsSchema } from "./encoding-options.ts";
import { fileFactsSchema } from "./file-facts.ts";
import { storageAccessSchema } from "./storage-location.ts";

/** Which attempt at which job: `claim` is the fence, a new number each time the job is handed to a node. */
export const claimedJobSchema = z.object({
  account_id: z.string(),
  job_id: z.string(),
  claim: z.int().positive(),
});
export type ClaimedJob = z.infer<typeof claimedJobSchema>;

/** Null and false are "not given": an edge of a later version may name its options in every task. */
const isGiven = (value: unknown) => value !== null && value !== false;
const knownOptions = new Set(Object.keys(encodingOptionsSchema.shape));

/** How the media is to be encoded. An option that this version does not know is only accepted if it was not given. */
const taskOptionsSchema = encodingOptionsSchema
  .loose()
  .refine(
    (options) => Object.entries(options).every(([name, value]) => knownOptions.has(name) || !isGiven(value)),
    "an option is not known",
  )
  .transform((options): EncodingOptions => encodingOptionsSchema.parse(options));

/** One attempt at a job, as the edge hands it to a node. Contains storage credentials: never log or queue it. */
export const taskSchema = claimedJobSchema.extend({
  url: z.string(),
  options: taskOptionsSchema,
  storage: storageAccessSchema,
  limits: z.object({
    source_file_bytes: z.number().positive(),
    source_silence_ms: z.number().positive(),
    /** What is left of the job's time limit. */
    time_left_ms: z.number(),
  }),
  /**
   * What an earlier attempt left in storage: the upload to abort, the key that may already have the file, and, if that
   * attempt was allowed to publish, the facts of its file.
   */
  earlier: z
    .object({
      storage_key: z.string(),
      object_key: z.string(),
      upload_id: z.string().nullable(),
      facts: fileFactsSchema.nullable(),
    })
    .nullable(),
});
export type Task = z.infer<typeof taskSchema>;

/**
 * A task as received: if this version cannot read it, for example because of an option that only a later version knows,
 * just the claim, so that it can be refused without affecting the others.
 */
export const arrivedTaskSchema = z.union([
  taskSchema,
  claimedJobSchema.transform((job) => ({ ...job, isUnreadable: true as const })),
]);
export type ArrivedTask = z.infer<typeof arrivedTaskSchema>;

/**
 * Tasks in one request at most: few enough that a short queue is spread over several nodes, and enough that a long one
 * takes few rounds.
 */
export const tasksPerRequestMax = 4;

/** Body of POST /internal/tasks, edge to node. */
export const taskRequestSchema = z.object({
  /**
   * The process that the tasks were claimed for. Another process answering at the same address accepts none of them,
   * since two would hold the same claim. Not sent by edges of earlier versions.
   */
  node_id: z.string().optional(),
  tasks: z.array(arrivedTaskSchema),
});
/** As sent by the edge, which only sends complete tasks. */
export type TaskRequest = Omit<z.infer<typeof taskRequestSchema>, "tasks"> & {
  readonly tasks: readonly Task[];
};

/** A task sent twice is accepted twice and run once; a refused one is requeued by the edge immediately. */
export const taskAnswerSchema = z.object({
  results: z.array(z.object({ job_id: z.string(), claim: z.int(), accepted: z.boolean() })),
});
export type TaskAnswer = z.infer<typeof taskAnswerSchema>;
