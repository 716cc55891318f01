const units = ["bytes", "kB", "MB", "GB", "TB", "PB"];

/** An amount of bytes in the unit that keeps it under a thousand: 1 GB = 10^9 bytes. */
export function bytes(amount: number): string {
  let value = amount;
  let unit = 0;
  // What would be rounded to 1000 is shown as 1 of the next unit.
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  if (unit === 0) return `${amount} ${amount === 1 ? "byte" : "bytes"}`;
  return `${value.toPrecision(3)} ${units[unit]}`;
}

/** A count with thousands separators. */
export function count(number: number): string {
  return number.toLocaleString("en");
}

/** "1 job", "2 jobs". */
export function counted(number: number, what: string): string {
  return `${count(number)} ${what}${number === 1 ? "" : "s"}`;
}
