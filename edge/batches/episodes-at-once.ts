/** So many of a show's jobs are in line or in work at a time; the next is let in as one of them ends. */
export const episodesAtOnce = 100;
