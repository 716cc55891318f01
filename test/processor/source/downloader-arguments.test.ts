import { expect, test } from "vitest";
import { describingArguments, fetchingArguments } from "../../../processor/source/downloader-arguments.ts";
import { safeFlags } from "../../../processor/source/downloader.ts";

const way = {
  downloader: { safeFlags: ["--ignore-config"] },
  proxyUrl: "http://127.0.0.1:1",
  silenceMs: 60_000,
};

test("the URL comes after everything that could be an option", () => {
  const args = describingArguments("https://media.example/", way);
  expect(args.slice(-2)).toEqual(["--", "https://media.example/"]);
});

test("requests and tunnels go through the proxy, and this machine's settings are ignored", () => {
  const fetching = fetchingArguments({ infoPath: "i.json", formatId: "1", fileName: "v" }, way);
  for (const args of [describingArguments("https://media.example/", way), fetching]) {
    expect(args[0]).toBe("--ignore-config");
    expect(args[args.indexOf("--proxy") + 1]).toBe(way.proxyUrl);
    expect(args[args.indexOf("--socket-timeout") + 1]).toBe("60");
  }
});

test("a format's id is a value and never an expression", () => {
  const args = fetchingArguments({ infoPath: "i.json", formatId: 'a"]/best\\', fileName: "50%" }, way);
  expect(args[args.indexOf("--format") + 1]).toBe('best*[format_id="a\\"]/best\\\\"]');
  expect(args[args.indexOf("--output") + 1]).toBe("50%%");
});

test("flags unknown to the installed version are left out", () => {
  const flags = safeFlags("  --ignore-config   Do not\n  --no-plugin-dirs   Clear\n");
  expect(flags).toContain("--no-plugin-dirs");
  expect(flags).not.toContain("--no-remote-components");
  expect(flags).toContain("--no-exec");
});
