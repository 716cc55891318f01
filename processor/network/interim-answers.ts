/** How many interim answers (1xx) may precede a request's answer; real servers send one or two. */
export const interimAnswersMax = 32;

/** Endless interim answers would keep a connection busy that is never silent. */
export class TooManyInterimAnswers extends Error {
  readonly code = "HPE_TOO_MANY_INTERIM_ANSWERS";

  constructor() {
    super("the answer does not begin");
  }
}
