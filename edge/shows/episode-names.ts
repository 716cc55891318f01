import { fileNameMaxBytes, managedPrefixBytes, storageKeyMaxBytes } from "../../contracts/limits.ts";
import { cutFileName, sanitizeFileName, utf8Bytes } from "../storage/file-name.ts";

/** `/` before a file's name, `.` and five letters after it. */
const aroundNameBytes = 7;

/**
 * Names the files of a show's episodes; call it in feed order. The title becomes the file's name, with ` (2)` and so on
 * for repeated ones, so that no two are the same. Null if nothing of the title can be used. Remembers every name it has
 * given.
 */
export function episodeNamer(folder: string): (title: string | null) => string | null {
  const room = storageKeyMaxBytes - managedPrefixBytes - utf8Bytes(folder) - aroundNameBytes;
  const maxBytes = Math.min(fileNameMaxBytes, room);
  /** For each name given: the number that its next duplicate gets. */
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
