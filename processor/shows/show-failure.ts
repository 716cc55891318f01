import type { ShowFailure as ShowFailureCode } from "../../contracts/show.ts";

/** Why a show has no episodes to give. The message is for the log: it names no address. */
export class ShowFailure extends Error {
  override readonly name = "ShowFailure";
  readonly code: ShowFailureCode;

  constructor(code: ShowFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
