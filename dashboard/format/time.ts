const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const dayOnly = new Intl.DateTimeFormat("en", { day: "numeric", month: "short" });
const dayAndYear = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric" });
const exact = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "long" });
const clock = new Intl.DateTimeFormat("en", { timeStyle: "medium", hourCycle: "h23" });

/** How long ago something was, or the day if that is over a week. Both in milliseconds since the Unix epoch. */
export function timeAgo(at: number, now: number): string {
  const ms = Math.max(0, now - at);
  if (ms < 10_000) return "just now";
  if (ms < minuteMs) return `${Math.floor(ms / 1000)} s ago`;
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min ago`;
  if (ms < dayMs) return `${Math.floor(ms / hourMs)} h ago`;
  if (ms < 7 * dayMs) return `${Math.floor(ms / dayMs)} d ago`;
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return (isThisYear ? dayOnly : dayAndYear).format(at);
}

/** Date and time to the second, with the time zone. */
export function wholeTime(at: number): string {
  return exact.format(at);
}

/** A day in words. */
export function wholeDay(at: number): string {
  return dayAndYear.format(at);
}

/** The time of day to the second. */
export function timeOfDay(at: number): string {
  return clock.format(at);
}

/** A duration in its two largest units; tenths of a second under a minute. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < minuteMs - 50) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(ms / minuteMs);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A playing time, formatted as players do. */
export function playingTime(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const [hours = 0, minutes = 0, rest = 0] = parts;
  const two = (number: number) => String(number).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
