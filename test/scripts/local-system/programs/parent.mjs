// Starts a child, leaves both process ids in the folder, and runs until it is told to end; `ignores` does not listen.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const [folder, mode] = process.argv.slice(2);
const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
process.on("SIGTERM", () => {
  if (mode === "waits") process.exit(0);
});
setInterval(() => {}, 1000);
writeFileSync(join(folder, "child.pid"), String(child.pid));
writeFileSync(join(folder, "parent.pid"), String(process.pid));
