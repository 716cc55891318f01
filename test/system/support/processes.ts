import { execa } from "execa";

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** All running processes of this machine. */
async function listProcesses(): Promise<Process[]> {
  const { stdout } = await execa("ps", ["-e", "-ww", "-o", "pid=,ppid=,stat=,args="]);
  return stdout.split("\n").flatMap((line) => {
    const [, pid, parent, state, command = ""] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s*(.*)$/.exec(line) ?? [];
    return pid === undefined || state?.startsWith("Z")
      ? []
      : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

/** The direct and indirect children of a process, as lines for a message. */
export async function descendantsOf(ancestor: number): Promise<Process[]> {
  const all = await listProcesses();
  const found = new Set([ancestor]);
  for (let before = 0; before !== found.size;) {
    before = found.size;
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid);
  }
  return all.filter(({ pid }) => found.has(pid) && pid !== ancestor);
}

/** Those of the processes that are still running. */
export async function stillRunning(processes: readonly Process[]): Promise<Process[]> {
  const all = await listProcesses();
  return processes.filter(({ pid, command }) =>
    all.some((process) => process.pid === pid && process.command === command),
  );
}
