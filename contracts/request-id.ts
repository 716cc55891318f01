/**
 * Says in the log of whoever answers on whose behalf it was asked: of a client's request the id that its answer carries
 * too. Nothing but log lines may depend on it.
 */
export const requestIdHeader = "x-request-id";
