/** The maximum length of a page. */
export const oggPageMaxBytes = 65_307;

const pageHeaderBytes = 27;
const lastPageFlag = 4;

/** True if the last page that begins in these bytes, the end of an Ogg file, is complete and marked as the last. */
export function endsOgg(tail: Buffer): boolean {
  const page = tail.subarray(Math.max(0, tail.lastIndexOf("OggS")));
  const segments = page[pageHeaderBytes - 1];
  if (segments === undefined || page.toString("latin1", 0, 4) !== "OggS") return false;
  const table = page.subarray(pageHeaderBytes, pageHeaderBytes + segments);
  const bytes = pageHeaderBytes + segments + table.reduce((sum, length) => sum + length, 0);
  return page.length >= bytes && ((page[5] ?? 0) & lastPageFlag) !== 0;
}
