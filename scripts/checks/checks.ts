import { execa } from "execa";

export interface Check {
  readonly name: string;
  /** The program, on the PATH or in node_modules/.bin, and its arguments. */
  readonly command: readonly [string, ...string[]];
}

export interface CheckOutcome {
  readonly check: Check;
  readonly passed: boolean;
  readonly output: string;
  readonly milliseconds: number;
}

/**
 * Types and lint in one pass, which loads each program once: a file is checked under the nearest tsconfig alone. Each
 * runtime's folders have one of their own, so that using the wrong global is a type error.
 */
export const lintAndTypes: Check = {
  name: "lint and types",
  command: ["oxlint", "--type-aware", "--type-check", "--deny-warnings"],
};

/** Everything that can be said about the code without running it. */
export const checks: readonly Check[] = [
  lintAndTypes,
  {
    name: "import rules",
    command: ["vitest", "run", "--project", "node", "test/repository/architecture.test.ts"],
  },
  { name: "published document", command: ["node", "scripts/openapi.ts", "--check"] },
  { name: "dead code", command: ["knip", "--no-progress"] },
  { name: "format", command: ["oxfmt", "--check"] },
];

/**
 * The type checker is written in Go and lives for seconds: collecting its garbage less often saves a third of its
 * processor time and takes an eighth more memory.
 */
const env = { GOGC: "400" };

/** Runs the check to its end; its output is kept for the reader. */
export async function runCheck(check: Check): Promise<CheckOutcome> {
  const [program, ...args] = check.command;
  const begun = performance.now();
  const result = await execa(program, args, { reject: false, all: true, stdin: "ignore", env });
  return {
    check,
    passed: result.exitCode === 0,
    output: result.exitCode === undefined ? String(result.message) : result.all,
    milliseconds: performance.now() - begun,
  };
}
