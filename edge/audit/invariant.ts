/** Something that is true of the database after every transaction. */
export interface Invariant {
  readonly name: string;
  /** What is true, as a sentence. */
  readonly sentence: string;
  /** SQL that returns the violating rows: `account_id`, `subject` (the row that is wrong) and `detail`. */
  readonly query: string;
}

/** The times of a job are taken by Workers with different clocks. */
export const clockSkewMs = 60_000;
