import { parseArgs } from "node:util";
import { execa } from "execa";
import { Problem, runScript } from "./problem.ts";

const usage = `npm run conformance [-- --url <base URL> --key <key> [--other-key <key>] [--origin <URL>]]

Tests a running system against the rules of test/conformance/rules.md, over HTTP only; without --url it starts one.
  --key        key of an account that nobody else uses
  --other-key  key of a second account; without it, rules that need two accounts are skipped
  --origin     where the system reaches the media of scripts/origin; by default they are served on 127.0.0.1`;

await runScript(async () => {
  const { url, key, "other-key": otherKey, origin } = readArguments();
  if (url !== undefined && key === undefined) throw new Problem(usage);
  // The keys are passed in the environment, since arguments are visible to everyone.
  const target =
    url === undefined ? "" : JSON.stringify({ url, key, otherKey: otherKey ?? null, origin: origin ?? null });
  const { exitCode } = await execa("vitest", ["run", "--project", "conformance"], {
    env: { FERRY_CONFORMANCE: target },
    stdio: "inherit",
    reject: false,
  });
  return exitCode ?? 1;
});

function readArguments() {
  const option = { type: "string" } as const;
  try {
    return parseArgs({ options: { url: option, key: option, "other-key": option, origin: option } }).values;
  } catch (error) {
    throw new Problem(usage, { cause: error });
  }
}
