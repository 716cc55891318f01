import { fileNameMaxBytes, managedPrefixBytes, storageKeyMaxBytes } from "../../contracts/limits.ts";
import { cutFileName, sanitizeFileName, utf8Bytes } from "../storage/file-name.ts";

/** `/` before a file's name, `.` and five letters behind it. */
const aroundNameBytes = 7;

/**
 * Names the files of a show's episodes, to be asked in the feed's order: the title as a file's name, the second of equal
 * ones with ` (2)` and so on, so that no two are the same. Null where the title leaves nothing of a name. Remembers every
 * name that it gave.
 */
export function episodeNamer(folder: string): (title: string | null) => string | null {
  const room = storageKeyMaxBytes - managedPrefixBytes - utf8Bytes(folder) - aroundNameBytes;
  const maxBytes = Math.min(fileNameMaxBytes, room);
  /** Of each name given: the number that its next equal gets. */
  const next = new Map<string, number>();
  return (title) => {
    const whole = sanitizeFileName(title ?? "", "");
    const plain = cutFileName(whole, maxBytes);
    if (plain === "") return null;
    let name = plain;
    let number = next.get(plain) ?? 1;
    while (next.has(name)) {
      number += 1;
      const suffix = ` (${number})`;
      name = cutFileName(whole, maxBytes - utf8Bytes(suffix)) + suffix;
    }
    next.set(plain, number);
    if (name !== plain) next.set(name, 1);
    return name;
  };
}
