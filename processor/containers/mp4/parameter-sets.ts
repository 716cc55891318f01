import { boxContent, boxesIn } from "./box-content.ts";

const entryOffset = 8;
/** Where the configuration begins in a video sample entry. */
const videoEntryBytes = 78;
const arraysOffset = 23;
/** Of the video, of its sequences, and of its pictures. */
const neededTypes = [32, 33, 34] as const;

/** Whether the description of an h265 track, the content of its `stsd` box, has a parameter set of each kind. */
export function hasParameterSets(stsd: Buffer): boolean {
  const [entry] = boxesIn(stsd.subarray(entryOffset));
  const hvcC = entry && boxContent(entry.content.subarray(videoEntryBytes), "hvcC");
  if (!hvcC) return false;
  const types = new Set<number>();
  let at = arraysOffset;
  for (let array = 0; array < (hvcC[arraysOffset - 1] ?? 0) && at + 3 <= hvcC.length; array += 1) {
    const units = hvcC.readUInt16BE(at + 1);
    if (units > 0) types.add((hvcC[at] ?? 0) & 63);
    at += 3;
    for (let unit = 0; unit < units && at + 2 <= hvcC.length; unit += 1) at += 2 + hvcC.readUInt16BE(at);
  }
  return neededTypes.every((type) => types.has(type)) && at <= hvcC.length;
}
