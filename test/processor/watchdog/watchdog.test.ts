import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("../../programs/standing-loop.ts", import.meta.url));

function run(...args: string[]) {
  return execa(process.execPath, [program, ...args], { reject: false, timeout: 60_000 });
}

test("a process whose event loop stands is killed, and its log says why", async () => {
  const { signal, timedOut, stdout } = await run("for-good", "10");
  expect({ signal, timedOut }).toEqual({ signal: "SIGKILL", timedOut: false });
  expect(JSON.parse(stdout)).toMatchObject({
    level: "fatal",
    message: "the node's event loop stood for 0.2 s",
  });
});

test("one whose event loop turns between long pieces of work is left alone, and may end", async () => {
  // Three seconds of work, where two without a turn would be too many.
  expect(await run("in-pieces", "100")).toMatchObject({ exitCode: 0, stdout: "" });
  expect(await run("not-at-all")).toMatchObject({ exitCode: 0, stdout: "" });
});
