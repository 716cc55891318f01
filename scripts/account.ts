import { parseArgs } from "node:util";
import { type CommandOption, commandOptions, commands } from "./accounts/commands.ts";
import { openRemoteDatabase } from "./accounts/remote-database.ts";
import { productionEnvironment } from "./deploy/worker-config.ts";
import { openDatabase } from "./local-system/database.ts";
import { readSystemSettings } from "./local-system/settings.ts";
import { Problem, runScript } from "./problem.ts";

const usage = `npm run account -- <command> [--json] [--remote]

  create <name>         add an account and show its key, once
  list                  list all accounts with the first characters of their keys
  rotate-key <account>  revoke the account's keys and show a new one, once
  revoke-key <prefix>   revoke the key that starts with this
  enable-billing <account> --period-start <ms>
                        also count usage by month, starting from then
  limit <account> [--running <n>|none] [--pending <n>|none]
                        how many of its jobs may run at a time (at first: none, it shares the slots with the others),
                        and how many may wait before no more are accepted (at first: 100000)

<account> is its name or its id. A revoked key may still be accepted for half a minute, and streams
opened with it end within 40 seconds.

--json prints machine-readable output. --remote uses the deployed database, that of production unless --environment
<name> is given. Otherwise the local system in STATE_DIR (default .data) is used, which may be running.`;

await runScript(async () => {
  const { values, positionals } = parseCommandLine();
  const [name = "", argument = "", ...rest] = positionals.map((text) => text.trim());
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command || rest.length > 0 || command.takesArgument !== (argument !== "")) throw new Problem(usage);
  const options = optionsOf(values);
  const given = Object.keys(options);
  const own: readonly string[] = command.options ?? [];
  if ((own.length > 0 && given.length === 0) || given.some((option) => !own.includes(option)))
    throw new Problem(usage);
  const database = values.remote
    ? openRemoteDatabase(values.environment)
    : openDatabase(readSystemSettings(process.env).stateDir);
  const outcome = await command.run(database, { argument, options, now: Date.now() });
  console.log(values.json ? JSON.stringify(outcome.json) : outcome.text);
  return 0;
});

function parseCommandLine() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        json: { type: "boolean", default: false },
        remote: { type: "boolean", default: false },
        environment: { type: "string", default: productionEnvironment },
        "period-start": { type: "string" },
        running: { type: "string" },
        pending: { type: "string" },
      },
    });
  } catch (error) {
    throw new Problem(usage, { cause: error });
  }
}

function optionsOf(
  values: ReturnType<typeof parseCommandLine>["values"],
): Partial<Record<CommandOption, string>> {
  const options: Partial<Record<CommandOption, string>> = {};
  for (const name of commandOptions) {
    const value = values[name];
    if (value !== undefined) options[name] = value;
  }
  return options;
}
