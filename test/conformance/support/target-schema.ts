import { z } from "zod";

/** The system under test, given as JSON in the variable FERRY_CONFORMANCE; without it, one is started. */
export const targetSchema = z.object({
  /** Without a trailing slash. */
  url: z.url().transform((url) => url.replace(/\/$/, "")),
  /** Of an account used only by these tests: they count its jobs. */
  key: z.string(),
  /** Of an unrelated account; null: there is none. */
  otherKey: z.string().nullable(),
  /** Where the target reaches the media of `scripts/origin/`; null: on this machine, started with the tests. */
  origin: z.url().nullable(),
});
export type GivenTarget = z.infer<typeof targetSchema>;

export interface Target extends GivenTarget {
  readonly origin: string;
  /** Whether the target can reach receivers and buckets that the tests run on 127.0.0.1. */
  readonly isOnThisMachine: boolean;
}
