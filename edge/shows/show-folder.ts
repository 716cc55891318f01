import { fileNameMaxBytes } from "../../contracts/limits.ts";
import { cutFileName, sanitizeFileName } from "../storage/file-name.ts";

/** The folder of a show for which the client gave none: its title as a file name, or the host of its feed. */
export function showFolder({ title, feedUrl }: { title: string | null; feedUrl: string }): string {
  return folderName(title ?? "") || folderName(new URL(feedUrl).hostname);
}

function folderName(text: string): string {
  return cutFileName(sanitizeFileName(text, "").replaceAll(/\.{2,}/g, "."), fileNameMaxBytes);
}
