import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";
import { z } from "zod";
import { findFreePorts } from "../local-system/ports.ts";
import { Problem } from "../problem.ts";
import type { EdgeStandIn } from "./edge-stand-in.ts";

const healthSchema = z.object({
  yt_dlp: z.object({ version: z.string(), javascript_runtime: z.string() }),
  ffmpeg: z.string(),
});
const readyMaxMs = 60_000;
const endMaxMs = 20_000;
const pollMs = 200;
const unprivileged = "1000";

/**
 * In its own mount namespace: a read-only root, and a work folder in memory. Proves as the image's user that the root
 * cannot be written to, the folder can, and the programs run; then becomes the node.
 */
const startScript = `
set -eu
root=$1
mount --rbind "$root" "$root"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mount -t tmpfs -o size=512m,mode=0755,uid=${unprivileged},gid=${unprivileged} tmpfs "$root/work"
mount -o remount,ro,bind "$root" "$root"
as_user() { chroot --userspec=${unprivileged}:${unprivileged} "$root" "$@"; }
if as_user touch /app/written 2>/dev/null; then echo "the root can be written to" >&2; exit 1; fi
as_user ffmpeg -v error -f lavfi -i testsrc=duration=1 -c:v libx264 /work/test.mp4
as_user ffprobe -v error /work/test.mp4
as_user yt-dlp --ignore-config --version >/dev/null
as_user rm /work/test.mp4
cd "$root/app"
exec chroot --userspec=${unprivileged}:${unprivileged} "$root" sh -c 'cd /app && exec tini -s -- node processor/main.ts'
`;

/**
 * Starts the node that a folder contains, as the image would, and ends it. Returns what was found; a Problem says what
 * fails.
 */
export async function checkNode(root: string, edge: EdgeStandIn): Promise<string[]> {
  const [port = 0] = await findFreePorts(1);
  const node = execa("unshare", ["--mount", "sh", "-c", startScript, "sh", root], {
    env: {
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      EDGE_URL: edge.url,
      PROCESSOR_SECRET: randomBytes(32).toString("hex"),
      PUBLIC_ADDRESS: "container://node-1",
      PORT: String(port),
      WORK_DIR: "/work",
      NODE_ENV: "production",
    },
    extendEnv: false,
    all: true,
    reject: false,
  });
  let ended = false;
  void node.then(() => (ended = true));
  const holdsInTime = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
    const deadline = performance.now() + readyMaxMs;
    while (!(await holds())) {
      if (ended || performance.now() > deadline) {
        node.kill("SIGKILL");
        throw new Problem(`The node does not start:\n${(await node).all}`);
      }
      await sleep(pollMs);
    }
  };
  try {
    const begun = performance.now();
    await holdsInTime(() => isReady(port));
    const readyMs = Math.round(performance.now() - begun);
    await holdsInTime(() => edge.hasHeard());
    const tools = await untilLoaded(port, holdsInTime);
    const user = await userOf(node.pid);
    if (user !== unprivileged) throw new Problem(`The node runs as user ${user}`);
    node.kill("SIGTERM");
    const late = AbortSignal.timeout(endMaxMs);
    late.addEventListener("abort", () => node.kill("SIGKILL"));
    const { exitCode, all } = await node;
    if (exitCode !== 0) throw new Problem(`The node did not drain: exit code ${exitCode}\n${all}`);
    const forks = !all.includes("the downloader has no fork server");
    return [
      `Ready after ${readyMs} ms, as user ${user}, on a root that it cannot write to`,
      `yt-dlp ${tools.yt_dlp.version} with ${tools.yt_dlp.javascript_runtime}, ffmpeg ${tools.ffmpeg}`,
      `yt-dlp is ${forks ? "loaded once and forked" : "started each time"}`,
      "SIGTERM: drained, exit code 0",
    ];
  } finally {
    node.kill("SIGKILL");
  }
}

/** The node's programs, once its yt-dlp is in memory. */
async function untilLoaded(port: number, holdsInTime: (holds: () => Promise<boolean>) => Promise<void>) {
  let health = healthSchema.parse(await healthOf(port));
  await holdsInTime(async () => {
    health = healthSchema.parse(await healthOf(port));
    return health.yt_dlp.version !== "unknown";
  });
  return health;
}

async function healthOf(port: number): Promise<unknown> {
  return (await fetch(`http://127.0.0.1:${port}/health`)).json();
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/ready`)).ok;
  } catch {
    // Nothing is listening yet.
    return false;
  }
}

async function userOf(pid: number | undefined): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return /^Uid:\t(\d+)/m.exec(status)?.[1] ?? "unknown";
}
