import { folderMaxCharacters } from "../../contracts/limits.ts";

/** What is wrong with a folder as the client gave it, as a sentence; null if nothing is. */
export function folderProblem(folder: string): string | null {
  if (Array.from(folder).length > folderMaxCharacters) {
    return `Folder name too long (max ${folderMaxCharacters} characters)`;
  }
  if (folder.includes("..")) return "Folder must not contain ..";
  if (folder.startsWith("/")) return "Folder must not start with /";
  if (/[\\\p{Cc}\p{Cs}]/u.test(folder)) return "Invalid folder";
  const segments = withoutTrailingSlash(folder).split("/");
  return segments.some((segment) => segment === "" || segment === ".") ? "Invalid folder" : null;
}

/** An accepted folder in the form used as a prefix of keys. */
export function withoutTrailingSlash(folder: string): string {
  return folder.endsWith("/") ? folder.slice(0, -1) : folder;
}
