// A program that does what its first argument says, for tests of running programs.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";

const forever = () => setInterval(() => {}, 60_000);

const manners: Record<string, () => void> = {
  /** Reports its identity and environment. */
  report: () => {
    console.log(JSON.stringify({ cwd: process.cwd(), env: process.env, args: process.argv.slice(3) }));
    console.error("a complaint");
    process.exitCode = 3;
  },
  hang: () => {
    note("ready");
    forever();
  },
  "ignore-sigterm": () => {
    process.on("SIGTERM", () => {});
    note("ready");
    forever();
  },
  /** Exits immediately and leaves a child that holds its output and ignores SIGTERM. */
  "leave-grandchild": () => {
    const child = spawn(process.execPath, [process.argv[1] ?? "", "ignore-sigterm"], { stdio: "inherit" });
    child.unref();
    writeFileSync("grandchild", String(child.pid));
  },
  /** Stays, with a child that ignores SIGTERM. */
  "keep-grandchild": () => {
    const child = spawn(process.execPath, [process.argv[1] ?? "", "ignore-sigterm"], { stdio: "inherit" });
    writeFileSync("grandchild", String(child.pid));
  },
  burn: () => {
    for (;;);
  },
  "flood-stdout": () => {
    const more = () => process.stdout.write("x".repeat(65_536), more);
    more();
  },
  "flood-stderr": () => {
    process.stderr.write(`${"x".repeat(1_000_000)}the end`);
  },
  lines: () => {
    process.stdout.write("one\ntw");
    process.stdout.write("o\nthr");
    process.stdout.write("ee");
  },
};

/** Tells the test, through a file in the working directory, that it has got this far. */
function note(name: string): void {
  writeFileSync(name, String(process.pid));
}

manners[process.argv[2] ?? ""]?.();
