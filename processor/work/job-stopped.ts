/**
 * Why a running job was aborted; its signal's reason. `dropped`: its claim is dead, so nobody is waiting for a report.
 * `returned`: the node hands it back unfinished.
 */
export class JobStopped extends Error {
  override readonly name = "JobStopped";
  readonly why: "dropped" | "returned";

  constructor(why: "dropped" | "returned") {
    super(`the job was ${why}`);
    this.why = why;
  }
}
