import type { ContentfulStatusCode } from "hono/utils/http-status";

/** A place in the request body, such as `jobs.3.url`, and what is wrong there. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
}

/** What an error tells the client: thrown anywhere, turned into a response in one place. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: ContentfulStatusCode;
  /** A stable snake_case identifier. */
  readonly code: string;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(given: {
    status: ContentfulStatusCode;
    code: string;
    message: string;
    details?: readonly ErrorDetail[];
    headers?: Readonly<Record<string, string>>;
    cause?: unknown;
  }) {
    super(given.message, { cause: given.cause });
    this.status = given.status;
    this.code = given.code;
    this.details = given.details;
    this.headers = given.headers ?? {};
  }
}
