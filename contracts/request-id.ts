/**
 * Identifies in the receiver's log on whose behalf it was called; for a client's request, the id that its response has
 * too. Nothing but log lines may depend on it.
 */
export const requestIdHeader = "x-request-id";
