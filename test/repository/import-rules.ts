import { posix } from "node:path";

export interface ImportingFile {
  /** Relative to the root, with slashes. */
  readonly path: string;
  /** Specifiers as written, including type imports and dynamic ones. */
  readonly imports: readonly string[];
}

interface Rule {
  readonly sentence: string;
  readonly appliesTo: (path: string) => boolean;
  /** Gets a package's specifier, or a file's path relative to the root. */
  readonly forbids: (target: string, path: string) => boolean;
}

const runtimeFolders = ["contracts", "edge", "processor", "dashboard"];
const isIn = (path: string, ...folders: readonly string[]) =>
  folders.some((folder) => path.startsWith(`${folder}/`));
const isPackage = (target: string, ...names: readonly string[]) =>
  names.some((name) => target === name || target.startsWith(`${name}/`));

const rules: readonly Rule[] = [
  {
    sentence: "contracts import zod and each other, nothing else",
    appliesTo: (path) => isIn(path, "contracts"),
    forbids: (target) => !isPackage(target, "zod") && !isIn(target, "contracts"),
  },
  {
    sentence: "the edge imports neither the processor nor Node's modules",
    appliesTo: (path) => isIn(path, "edge"),
    forbids: (target) => isIn(target, "processor") || target.startsWith("node:"),
  },
  {
    sentence: "the processor imports neither the edge nor what belongs to it",
    appliesTo: (path) => isIn(path, "processor"),
    forbids: (target) =>
      isIn(target, "edge") || isPackage(target, "drizzle-orm", "hono") || target.startsWith("cloudflare:"),
  },
  {
    sentence: "the dashboard knows the service through its published document alone",
    appliesTo: (path) => isIn(path, "dashboard"),
    forbids: (target) => isIn(target, "edge", "processor", "contracts") || target.startsWith("node:"),
  },
  {
    sentence: "what is deployed imports nothing of scripts and benchmarks",
    appliesTo: (path) => isIn(path, ...runtimeFolders),
    forbids: (target) => isIn(target, "scripts", "bench"),
  },
  {
    sentence: "source never imports test",
    appliesTo: (path) => !isIn(path, "test"),
    forbids: (target) => isIn(target, "test") || isPackage(target, "vitest", "fast-check"),
  },
  {
    sentence: "a route imports neither another route nor drizzle",
    appliesTo: (path) => path.endsWith(".route.ts"),
    forbids: (target) => target.endsWith(".route.ts") || isPackage(target, "drizzle-orm"),
  },
];

/** The exceptions: configuration of the test runner itself. */
const exempt = new Set(["vitest.config.ts"]);

/** Every forbidden import, as `path imports target: rule`. */
export function forbiddenImports(files: readonly ImportingFile[]): string[] {
  return files
    .filter((file) => !exempt.has(file.path))
    .flatMap(({ path, imports }) =>
      imports.flatMap((specifier) => {
        const target = resolveSpecifier(path, specifier);
        return rules
          .filter((rule) => rule.appliesTo(path) && rule.forbids(target, path))
          .map((rule) => `${path} imports ${target}: ${rule.sentence}`);
      }),
    );
}

function resolveSpecifier(from: string, specifier: string): string {
  return specifier.startsWith(".") ? posix.join(posix.dirname(from), specifier) : specifier;
}
