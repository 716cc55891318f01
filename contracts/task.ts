import { z } from "zod";
import { encodingOptionsSchema } from "./encoding-options.ts";
import { fileFactsSchema } from "./file-facts.ts";
import { storageAccessSchema } from "./storage-location.ts";

/** Which attempt at which job: `claim` is the fence, drawn anew each time the job is handed to a node. */
export const claimedJobSchema = z.object({
  account_id: z.string(),
  job_id: z.string(),
  claim: z.int().positive(),
});
export type ClaimedJob = z.infer<typeof claimedJobSchema>;

/** One attempt at a job, as the edge gives it to a node. Carries storage credentials: never logged or queued. */
export const taskSchema = claimedJobSchema.extend({
  url: z.string(),
  options: encodingOptionsSchema,
  storage: storageAccessSchema,
  limits: z.object({
    source_file_bytes: z.number().positive(),
    source_silence_ms: z.number().positive(),
    /** What is left of the job's wall time. */
    time_left_ms: z.number(),
  }),
  /**
   * What an earlier attempt left in storage: the upload to abort, the key that may already hold the file, and, when
   * that attempt was allowed to publish, the facts of the file it had.
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
 * A task as it arrives: of one that this version cannot read, such as one with an option that only a later version
 * knows, the claim alone, so that it is refused by itself and takes no other with it.
 */
export const arrivedTaskSchema = z.union([
  taskSchema,
  claimedJobSchema.transform((job) => ({ ...job, isUnreadable: true as const })),
]);
export type ArrivedTask = z.infer<typeof arrivedTaskSchema>;

/** Body of POST /internal/tasks, edge to node. */
export const taskRequestSchema = z.object({
  /**
   * The process that the tasks were claimed for. Another one that answers at its address accepts none of them: two
   * would hold the same claim. An edge of an earlier version names none.
   */
  node_id: z.string().optional(),
  tasks: z.array(arrivedTaskSchema),
});
/** As the edge says it: it sends whole tasks alone. */
export type TaskRequest = Omit<z.infer<typeof taskRequestSchema>, "tasks"> & {
  readonly tasks: readonly Task[];
};

/** A task sent twice is accepted twice and run once; one refused is put back by the edge at once. */
export const taskAnswerSchema = z.object({
  results: z.array(z.object({ job_id: z.string(), claim: z.int(), accepted: z.boolean() })),
});
export type TaskAnswer = z.infer<typeof taskAnswerSchema>;
