import type { HostileRow } from "./row.ts";

/** File names from clients, pages and feeds, and the resulting key; the job's id if nothing is left. */
export const hostileNames: readonly HostileRow<string, string>[] = [
  { input: "../../etc/passwd", why: "out of the folder", expected: "etcpasswd.mp4" },
  { input: "..\\..\\boot.ini", why: "out of the folder on Windows", expected: "boot.ini.mp4" },
  { input: "/etc/passwd", why: "an absolute path", expected: "etcpasswd.mp4" },
  { input: "..", why: "the folder above", expected: "job-id.mp4" },
  { input: "....//....//a", why: "what is left after one removal", expected: "a.mp4" },
  { input: "%2e%2e%2fa", why: "an encoded path, which is never decoded", expected: "2e2e2fa.mp4" },
  { input: "a\0.jpg", why: "a zero byte ends a name in C", expected: "a.jpg.mp4" },
  { input: "a\r\nSet-Cookie: x=1", why: "a header smuggled in", expected: "aSet-Cookie x1.mp4" },
  { input: 'a"; filename="b', why: "out of a quoted header value", expected: "a filenameb.mp4" },
  { input: "\u202egpj.exe", why: "a mark that reverses the text", expected: "gpj.exe.mp4" },
  { input: "a\ufeff\u200b\u00adb", why: "invisible characters", expected: "ab.mp4" },
  { input: "\ud800", why: "half a character", expected: "job-id.mp4" },
  { input: "．．／a", why: "characters that NFKC folds to a path", expected: "a.mp4" },
  { input: "<script>alert(1)</script>", why: "markup", expected: "scriptalert(1)script.mp4" },
  { input: "$(touch x)`touch y`;|&", why: "commands of a shell", expected: "(touch x)touch y&.mp4" },
  { input: "%(title)s %s %n", why: "a template of the downloader", expected: "(title)s s n.mp4" },
  { input: "-rf", why: "an option of a program", expected: "-rf.mp4" },
  { input: ".htaccess", why: "a hidden file with a meaning", expected: "htaccess.mp4" },
  { input: "name.mp4.mp4", why: "the extension twice: one goes", expected: "name.mp4.mp4" },
  { input: "'; DROP TABLE jobs; --", why: "SQL", expected: "' DROP TABLE jobs --.mp4" },
  { input: "*?:|", why: "only invalid characters", expected: "job-id.mp4" },
  {
    input: "e".padEnd(200, "\u0301"),
    why: "stacked combining marks",
    expected: `é${"\u0301".repeat(89)}.mp4`,
  },
  { input: "x".repeat(100_000), why: "far too long", expected: `${"x".repeat(180)}.mp4` },
  { input: `${".".repeat(50_000)}x${" ".repeat(50_000)}`, why: "slow to trim", expected: "x.mp4" },
];

/** Folders that are rejected, and their messages. */
export const hostileFolders: readonly HostileRow<string, string>[] = [
  { input: "../a", why: "out of the account's prefix", expected: "Folder must not contain .." },
  { input: "a/../../b", why: "out of it from a subfolder", expected: "Folder must not contain .." },
  { input: "/a", why: "an absolute path", expected: "Folder must not start with /" },
  { input: "a\\b", why: "a separator on Windows", expected: "Invalid folder" },
  { input: "a//b", why: "an empty segment", expected: "Invalid folder" },
  { input: "./a", why: "a segment that clients drop when they sign", expected: "Invalid folder" },
  { input: "a\0b", why: "a zero byte", expected: "Invalid folder" },
  { input: "a\r\nb", why: "a header smuggled in", expected: "Invalid folder" },
  { input: "\ud800", why: "half a character, which UTF-8 cannot encode", expected: "Invalid folder" },
  { input: "f".repeat(201), why: "too long", expected: "Folder name too long (max 200 characters)" },
];
