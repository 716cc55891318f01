/**
 * Why a running job is aborted: the reason its signal carries. `dropped`: its claim is dead, nobody waits for a
 * word of it. `returned`: the node gives it back unfinished.
 */
export class JobStopped extends Error {
  override readonly name = "JobStopped";
  readonly why: "dropped" | "returned";

  constructor(why: "dropped" | "returned") {
    super(`the job was ${why}`);
    this.why = why;
  }
}
