/** A month of billing, in ms since the Unix epoch: from `start` to just before `end`. */
export interface BillingPeriod {
  readonly start: number;
  readonly end: number;
}

/**
 * The billing period that contains `now`. Periods are consecutive months, each starting on the anchor's day of the
 * month and time of day in UTC, or on the last day of a month that is too short. Both times are ms since the Unix
 * epoch.
 */
export function billingPeriod(anchor: number, now: number): BillingPeriod {
  const months = monthOf(now) - monthOf(anchor);
  const sameMonth = plusMonths(anchor, months);
  return sameMonth <= now
    ? { start: sameMonth, end: plusMonths(anchor, months + 1) }
    : { start: plusMonths(anchor, months - 1), end: sameMonth };
}

/** Calendar months since year 0. */
function monthOf(time: number): number {
  const date = new Date(time);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function plusMonths(time: number, months: number): number {
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const daysOfMonth = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.setUTCDate(Math.min(day, daysOfMonth));
}
