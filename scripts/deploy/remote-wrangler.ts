import { execa } from "execa";
import { inheritedEnvironment } from "../local-system/inherited-environment.ts";
import { wranglerProgram } from "../local-system/wrangler.ts";

export interface WranglerOutcome {
  readonly ok: boolean;
  readonly stdout: string;
  /** Everything that was printed, for the user to read. */
  readonly output: string;
}

/** Runs one wrangler command on the account, without prompts. Does not reject if the command fails. */
export type RemoteWrangler = (
  args: readonly string[],
  options?: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string },
) => Promise<WranglerOutcome>;

/** What tells wrangler who the user is, apart from its own login. */
const credentialNames = [
  "CLOUDFLARE_API_TOKEN",
  "CLOUDFLARE_ACCOUNT_ID",
  "CLOUDFLARE_API_BASE_URL",
  "XDG_CONFIG_HOME",
  "HTTPS_PROXY",
  // Where the image is built.
  "DOCKER_HOST",
] as const;

/** Wrangler with the user's login, or with CLOUDFLARE_API_TOKEN. */
export function remoteWrangler(program: string = wranglerProgram): RemoteWrangler {
  return async (args, { env = {}, cwd } = {}) => {
    const result = await execa(process.execPath, ["--no-warnings", program, ...args], {
      env: { ...remoteEnvironment(), ...env },
      extendEnv: false,
      stdin: "ignore",
      all: true,
      reject: false,
      ...(cwd !== undefined && { cwd }),
    });
    return { ok: !result.failed, stdout: result.stdout, output: result.all };
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
