const counterDigits = 8;

/**
 * The id of a show's job by its position in the feed, from 0: the batch's id, a UUID v7, with its last 32 bits as a
 * counter (RFC 9562, 6.2). A batch's ids are thus derived from its row, are in feed order, and need not be stored or
 * read.
 */
export function episodeId(batchId: string, place: number): string {
  return batchId.slice(0, -counterDigits) + place.toString(16).padStart(counterDigits, "0");
}

/** The ids of all jobs of a show's batch, in feed order. */
export function episodeIds(batchId: string, total: number): string[] {
  return Array.from({ length: total }, (_, place) => episodeId(batchId, place));
}
