/** At most this many of a show's jobs are queued or running; the next is let in when one of them ends. */
export const episodesAtOnce = 100;
