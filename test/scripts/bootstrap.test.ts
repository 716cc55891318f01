import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const bootstrap = join(import.meta.dirname, "../../scripts/bootstrap.mjs");

/** A project of one package, with an npm that counts its calls and installs by copying. */
let project: string;
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), "ferry-bootstrap-"));
  await mkdir(join(project, "scripts"));
  await mkdir(join(project, "fake-bin"));
  await cp(bootstrap, join(project, "scripts/bootstrap.mjs"));
  await want("1.0.0");
  await program(
    "fake-bin/npm",
    `#!/bin/sh
echo "$@" >> npm-calls
sleep 0.3
mkdir -p node_modules/.bin
ln -sf ${process.execPath} node_modules/.bin/node
cp package-lock.json node_modules/.package-lock.json
`,
  );
});
afterEach(() => rm(project, { recursive: true }));

test("a fresh clone is installed once, even by two simultaneous commands, and not again", async () => {
  await writeFile(join(project, "scripts/hello.ts"), "console.log(`hello ${process.argv[2]}`);");
  const both = await Promise.all([run("scripts/hello.ts", "one"), run("scripts/hello.ts", "two")]);
  expect(both.map(({ stdout }) => stdout.split("\n").at(-1))).toEqual(["hello one", "hello two"]);
  await run("scripts/hello.ts", "three");
  expect(await npmCalls()).toEqual(["ci --no-audit --no-fund --loglevel=error"]);
});

test("dependencies are reinstalled if the lockfile requires another version", async () => {
  await writeFile(join(project, "scripts/hello.ts"), "");
  await run("scripts/hello.ts");
  await want("2.0.0");
  await run("scripts/hello.ts");
  expect(await npmCalls()).toHaveLength(2);
});

test("a failed installation ends the command with a message", async () => {
  await program("fake-bin/npm", "#!/bin/sh\nexit 1\n");
  const result = await run("scripts/hello.ts");
  expect(result).toMatchObject({ exitCode: 1 });
  expect(result.stderr).toContain("could not be installed");
});

test("signals are passed on, and the exit code is returned", async () => {
  const script = `process.on("SIGTERM", () => process.exit(7));
    setInterval(() => {}, 1000);
    console.log("listening");`;
  await writeFile(join(project, "scripts/wait.ts"), script);
  const running = run("scripts/wait.ts");
  let printed = "";
  running.stdout?.on("data", (text: Buffer) => (printed += text.toString()));
  await vi.waitUntil(() => printed.includes("listening"), { timeout: 10_000 });
  running.kill("SIGTERM");
  expect(await running).toMatchObject({ exitCode: 7 });
});

test("the script is told if the bootstrap was killed", async () => {
  const marker = join(project, "told");
  const script = `import { writeFileSync } from "node:fs";
    process.on("disconnect", () => { writeFileSync(${JSON.stringify(marker)}, ""); process.exit(); });
    setInterval(() => {}, 1000);
    console.log("listening");`;
  await writeFile(join(project, "scripts/wait.ts"), script);
  const running = run("scripts/wait.ts");
  let printed = "";
  running.stdout?.on("data", (text: Buffer) => (printed += text.toString()));
  await vi.waitUntil(() => printed.includes("listening"), { timeout: 10_000 });
  running.kill("SIGKILL");
  await running;
  await vi.waitFor(() => readFile(marker), { timeout: 10_000 });
});

function run(...args: string[]) {
  const path = `${join(project, "fake-bin")}${delimiter}${process.env["PATH"] ?? ""}`;
  return execa(process.execPath, ["scripts/bootstrap.mjs", ...args], {
    cwd: project,
    env: { PATH: path },
    reject: false,
  });
}

/** Writes a lockfile that requires this version of a package, and of one for other platforms only. */
async function want(version: string): Promise<void> {
  const packages = {
    "": { name: "project" },
    "node_modules/one": { version },
    "node_modules/elsewhere": { version: "1.0.0", optional: true },
  };
  await writeFile(join(project, "package-lock.json"), JSON.stringify({ packages }));
}

async function program(path: string, text: string): Promise<void> {
  await writeFile(join(project, path), text);
  await chmod(join(project, path), 0o755);
}

async function npmCalls(): Promise<string[]> {
  return (await readFile(join(project, "npm-calls"), "utf8")).trimEnd().split("\n");
}
