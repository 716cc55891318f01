import { execa } from "execa";
import { inheritedEnvironment } from "../local-system/inherited-environment.ts";
import { type Database, readAnswer } from "../local-system/database.ts";
import { wranglerConfig, wranglerProgram } from "../local-system/wrangler.ts";
import { Problem } from "../problem.ts";

/** What tells wrangler who the user is, beside its own login. */
const credentialNames = [
  "CLOUDFLARE_API_TOKEN",
  "CLOUDFLARE_ACCOUNT_ID",
  "CLOUDFLARE_API_BASE_URL",
  "XDG_CONFIG_HOME",
  "HTTPS_PROXY",
] as const;

/** The deployed database that wrangler.toml names, as wrangler's login or CLOUDFLARE_API_TOKEN reaches it. */
export function openRemoteDatabase(): Database {
  return {
    async execute(statements) {
      const command = ["d1", "execute", "ferry", "--remote", "--json", "--yes", "--config", wranglerConfig];
      const result = await execa(
        process.execPath,
        ["--no-warnings", wranglerProgram, ...command, "--command", statements.join("; ")],
        { env: remoteEnvironment(), extendEnv: false, stdin: "ignore", reject: false },
      );
      if (!result.failed) return readAnswer(result.stdout);
      throw new Problem(
        `The deployed database could not be asked:\n${result.stdout}\n${result.stderr}`.trim(),
      );
    },
  };
}

function remoteEnvironment(): Record<string, string> {
  const credentials = credentialNames.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...inheritedEnvironment(),
    ...Object.fromEntries(credentials),
    CI: "true",
    NO_COLOR: "1",
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_SEND_ERROR_REPORTS: "false",
    WRANGLER_HIDE_BANNER: "true",
  };
}
