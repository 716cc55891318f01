import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { listFiles, repositoryRoot } from "./repository.ts";

const settingsFiles = [
  "edge/settings.ts",
  "processor/config.ts",
  "scripts/local-system/settings.ts",
  "scripts/processor.ts",
  "scripts/deploy/environment-file.ts",
];

let files: string[];
let folders: Set<string>;
let documents: { path: string; text: string }[];
let read: (path: string) => Promise<string>;

beforeAll(async () => {
  read = (path) => readFile(join(repositoryRoot, path), "utf8");
  files = await listFiles();
  folders = new Set(
    files.flatMap((path) => [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1))),
  );
  const pages = files.filter(
    (path) => /^(README|CONTRIBUTING|SECURITY|CHANGELOG)\.md$/.test(path) || /^docs\/.*\.md$/.test(path),
  );
  documents = await Promise.all(pages.map(async (path) => ({ path, text: await read(path) })));
});

/** All matches of the pattern's first group in the documents, with their page. */
function mentions(pattern: RegExp): { found: string; page: string }[] {
  return documents.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map((match) => ({ found: match[1] ?? "", page: path })),
  );
}

test("each defence of SECURITY.md names a test that exists", async () => {
  const text = await read("SECURITY.md");
  const defences = text.split("\n").filter((line) => /^\| (?!Defence|-)/.test(line));
  expect(defences.length).toBeGreaterThan(25);
  const missing = await Promise.all(
    defences.map(async (line) => {
      const [, path = "", title = ""] = /`(test\/[\w./-]+)`: (.*?) *\|$/.exec(line) ?? [];
      return files.includes(path) && title !== "" && (await read(path)).includes(title) ? [] : [line];
    }),
  );
  expect(missing.flat()).toEqual([]);
});

describe("the documentation names only", () => {
  test("files and folders that exist", () => {
    const topLevel = new Set(files.map((path) => path.split("/")[0]));
    const paths = mentions(/`([\w.-]+\/[\w./-]*|[\w.-]+\.(?:json|toml|md|ts|ya?ml|example))`/g).filter(
      ({ found }) => topLevel.has(found.split("/")[0]) || !found.includes("/"),
    );
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter(({ found }) => !files.includes(found) && !folders.has(found))).toEqual([]);
  });

  test("links to files that exist", () => {
    const links = mentions(/\]\((?!https?:)([^)#]+)/g);
    expect(links.filter(({ found, page }) => !files.includes(join(page, "..", found)))).toEqual([]);
  });

  test("commands that exist, and the README's table lists each", async () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(await read("package.json")));
    const commands = mentions(/npm (?:run )?(start|test(?![\w:])|(?<=run )[\w:-]+)/g);
    expect(commands.length).toBeGreaterThan(5);
    expect(commands.filter(({ found }) => !(found in scripts))).toEqual([]);
    const table = [...(await read("README.md")).matchAll(/^\| `npm (?:run )?([\w:-]+)/gm)];
    const told = new Set(table.map(([, name]) => name));
    expect(Object.keys(scripts).filter((name) => !told.has(name))).toEqual([]);
  });

  test("routes that exist", async () => {
    const routes = await Promise.all(files.filter((path) => path.endsWith(".route.ts")).map(read));
    const published = routes.map((text) => {
      const [, method = ""] = /method: "(\w+)"/.exec(text) ?? [];
      const [, path = ""] = /path: "([^"]+)"/.exec(text) ?? [];
      return `${method.toUpperCase()} ${path}`;
    });
    expect(published).toContain("POST /jobs");
    const named = mentions(/`((?:GET|POST|PUT|DELETE) \/[^`]*)`/g);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter(({ found }) => !published.includes(found))).toEqual([]);
  });

  test("environment variables that are read somewhere, and the README names each that an operator can set", async () => {
    const sources = (await Promise.all(settingsFiles.map(read))).join("\n");
    const readVariables = new Set(
      [...sources.matchAll(/\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|PORT|HOST)\b/g)].map(([name]) => name),
    );
    const named = mentions(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|PORT|HOST)`/g);
    expect(named.filter(({ found }) => !readVariables.has(found))).toEqual([]);
    const told = new Set(named.filter(({ page }) => page === "README.md").map(({ found }) => found));
    expect([...readVariables].filter((name) => !told.has(name))).toEqual([]);
  });
});
