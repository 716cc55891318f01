import { chmod, copyFile, cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { startEdgeStandIn } from "./image/edge-stand-in.ts";
import { checkNode } from "./image/check-node.ts";
import { provideTools } from "./local-system/tools.ts";
import { Problem, runScript } from "./problem.ts";
import { showProgress } from "./progress-line.ts";

const usage = `npm run image-check

Runs the steps of processor/Dockerfile in a folder instead of an image, as root on Debian, and starts the node there as
an unprivileged user on a read-only root. Takes some minutes and 1 GB in the temporary folder. YT_DLP_VERSION,
YT_DLP_SOURCE and YT_DLP_SHA256 select the yt-dlp, as in processor/image/install-yt-dlp.ts.`;

const repository = fileURLToPath(new URL("..", import.meta.url));
/** The Debian release that the image is based on. */
const release = "trixie";
const downloaderSettings = ["YT_DLP_VERSION", "YT_DLP_SOURCE", "YT_DLP_SHA256"];

await runScript(async () => {
  if (process.getuid?.() !== 0) throw new Problem(`Only root can create such a folder.\n\n${usage}`);
  await provideTools([{ program: "debootstrap", packageName: "debootstrap", harmless: "--version" }]);
  const folder = await mkdtemp(join(tmpdir(), "ferry-image-"));
  const edge = await startEdgeStandIn();
  try {
    const root = join(folder, "root");
    await showProgress(`Debian ${release}`, () => execa("debootstrap", ["--variant=minbase", release, root]));
    await addNode(root);
    await showProgress("The image's tools", () => installTools(root));
    await showProgress("The node's packages and sources", () => addSources(root));
    for (const fact of await checkNode(root, edge)) console.log(fact);
    const { stdout } = await execa("du", ["-sm", root]);
    console.log(`The folder has ${stdout.split("\t")[0]} MB`);
    return 0;
  } finally {
    await edge.close();
    await rm(folder, { recursive: true });
  }
});

/** As in our base image: Node in /usr/local/bin, and a user `node` with the id 1000. */
async function addNode(root: string): Promise<void> {
  const program = join(root, "usr", "local", "bin", "node");
  await copyFile(process.execPath, program);
  await chmod(program, 0o755);
  await execa("chroot", [root, "useradd", "--uid", "1000", "--create-home", "node"]);
}

async function installTools(root: string): Promise<void> {
  await cp(join(repository, "processor", "image"), join(root, "opt", "ferry-image"), { recursive: true });
  await copyFile("/etc/resolv.conf", join(root, "etc", "resolv.conf"));
  const settings = downloaderSettings.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  const script = "/opt/ferry-image/install-tools.sh";
  await execa("chroot", [root, script], { env: Object.fromEntries(settings) });
}

async function addSources(root: string): Promise<void> {
  const app = join(root, "app");
  await mkdir(app);
  for (const name of ["package.json", "package-lock.json", ".npmrc"]) {
    await copyFile(join(repository, name), join(app, name));
  }
  await execa("npm", ["ci", "--omit=dev", "--workspaces=false"], { cwd: app });
  for (const name of ["contracts", "processor"]) {
    await cp(join(repository, name), join(app, name), { recursive: true });
  }
  await mkdir(join(root, "work"));
}
