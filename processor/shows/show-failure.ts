import type { ShowFailure as ShowFailureCode } from "../../contracts/show.ts";

/** Why a show has no episodes to offer. The message is for the log and contains no address. */
export class ShowFailure extends Error {
  override readonly name = "ShowFailure";
  readonly code: ShowFailureCode;

  constructor(code: ShowFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
