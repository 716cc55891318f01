/** A program's environment: only PATH from this process; its home is the job's folder. */
export function bareEnvironment(folder: string): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8", HOME: folder, TMPDIR: folder };
}
