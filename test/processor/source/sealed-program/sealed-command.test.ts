import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startNetwork } from "../../../../processor/network/network.ts";
import { describeMedia } from "../../../../processor/source/describe-media.ts";
import { openDownloader } from "../../../../processor/source/downloader.ts";
import { sealedCommand, unsealedMark } from "../../../../processor/source/sealed-program/sealed-command.ts";
import { runProgram } from "../../../../processor/subprocess/run-program.ts";
import { startTestHost } from "../../../origin/test-host.ts";

const programs = fileURLToPath(new URL("../../../programs/python", import.meta.url));
const signal = new AbortController().signal;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferry-sealed-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("the installed downloader, started again, uses no proxy named by a redirect", async () => {
  const [host, other] = await Promise.all([startTestHost(), startTestHost()]);
  const network = await startNetwork({ allowPrivateNetwork: true });
  const orders = JSON.stringify({ http_headers: { "Ytdl-request-proxy": other.url } });
  const location = `/after#__youtubedl_smuggle=${encodeURIComponent(orders)}`;
  host.answers = {
    "/page": (_, response) => void response.writeHead(302, { location }).end(),
    "/after": "<html><title>nothing</title></html>",
  };
  const downloader = await openDownloader("yt-dlp", async () => null);
  const limits = { source_file_bytes: 1e6, source_silence_ms: 30_000 };
  const described = describeMedia(`${host.url}/page`, { network, downloader, folder, signal, limits });
  await expect(described).rejects.toMatchObject({ code: "unsupported_url" });
  expect(host.asked).toContain("/after");
  expect(other.asked).toEqual([]);
  await Promise.all([network.close(), host.close(), other.close()]);
});

describe("a program", () => {
  const bounds = () => ({ folder, signal, deadlineMs: 30_000, stdoutMaxBytes: 1e6, fileMaxBytes: 0 });

  test("that cannot be sealed runs as it is, and says so", async () => {
    await cp(programs, join(folder, "program"), { recursive: true });
    const program = join(folder, "program", "misbehave");
    const { name, args } = await sealedCommand(program);
    const start = () => runProgram({ name, args: [...args, "lines"], ...bounds() });
    expect(await start()).toMatchObject({ exitCode: 0, stdout: "one\ntwo\nthree", stderr: "" });
    // Its name is no longer among the functions.
    await writeFile(
      join(folder, "program", "yt_dlp", "utils.py"),
      'def smuggle_url(url, data):\n    return url\ndef unsmuggle_url(url, default=None):\n    return url, {"to": "itself"}\n',
    );
    const unsealed = {
      exitCode: 0,
      stdout: "one\ntwo\nthree",
      stderr: expect.stringContaining(unsealedMark),
    };
    expect(await start()).toMatchObject(unsealed);
    // They are no longer functions.
    await writeFile(join(folder, "program", "yt_dlp", "utils.py"), "smuggle_url = unsmuggle_url = print\n");
    expect(await start()).toMatchObject(unsealed);
  });

  test("that is not written in Python is started unchanged", async () => {
    expect(await sealedCommand("/bin/sh")).toEqual({ name: "/bin/sh", args: [], canBeSealed: false });
  });
});
