// Runs on whatever Node the machine has (20 or newer): installs what package-lock.json asks for, then hands over to
// the pinned Node with the script named by the first argument. No imports but Node's own, since nothing is installed yet.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const binFolder = join(root, "node_modules", ".bin");
const parentPollMs = 500;
const [script, ...scriptArguments] = process.argv.slice(2);

await installWhatIsMissing();
process.exitCode = await handOver();

async function installWhatIsMissing() {
  if (isInstalled()) return;
  const unlock = await lockInstallation();
  try {
    if (isInstalled()) return;
    console.log("Installing packages (npm ci); the first time takes about a minute …");
    // Its warnings concern the machine's own Node, which runs none of the packages.
    const quietly = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
    const { code } = await run("npm", quietly, { ...process.env }).ended;
    if (code !== 0 || !isInstalled()) {
      console.error(
        "The packages could not be installed: see npm's message above, then run the command again.",
      );
      process.exit(1);
    }
  } finally {
    unlock();
  }
}

/** npm writes its hidden lockfile last: if that lists every package of the lockfile, everything is installed. */
function isInstalled() {
  const installed = readPackages(join(root, "node_modules", ".package-lock.json"));
  const wanted = readPackages(join(root, "package-lock.json"));
  if (!installed || !existsSync(join(binFolder, "node"))) return false;
  return Object.entries(wanted ?? {}).every(
    ([path, { version, optional }]) => path === "" || optional || installed[path]?.version === version,
  );
}

function readPackages(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).packages : null;
}

/** A folder that only one process can create, touched while it is held, so that a dead holder's is recognized by age. */
async function lockInstallation() {
  const name = createHash("sha256").update(root).digest("hex").slice(0, 16);
  const lock = join(tmpdir(), `ferry-install-${name}`);
  const staleMs = 10_000;
  let told = false;
  while (!makeFolder(lock)) {
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > staleMs) rmSync(lock, { recursive: true, force: true });
    if (!told) console.log("Another command is installing the packages; waiting for it …");
    told = true;
    await sleep(200);
  }
  const touching = setInterval(() => utimesSync(lock, new Date(), new Date()), staleMs / 5);
  return () => {
    clearInterval(touching);
    rmSync(lock, { recursive: true, force: true });
  };
}

function makeFolder(path) {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

/**
 * The channel tells the script when this process is gone; signals are passed on, the exit code handed back. The end of
 * the starting process is passed on too: the shell in which npm runs scripts dies of a signal without telling its child.
 */
async function handOver() {
  const parent = process.ppid;
  const environment = { ...process.env, PATH: `${binFolder}${delimiter}${process.env.PATH ?? ""}` };
  const { child, ended } = run(join(binFolder, "node"), [script, ...scriptArguments], environment, "ipc");
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  const watch = setInterval(() => process.ppid === parent || child.kill("SIGTERM"), parentPollMs);
  const { code, signal } = await ended;
  clearInterval(watch);
  return code ?? 128 + constants.signals[signal];
}

function run(file, args, env, ...channels) {
  const child = spawn(file, args, { cwd: root, env, stdio: ["inherit", "inherit", "inherit", ...channels] });
  const ended = new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  return { child, ended };
}
