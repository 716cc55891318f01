import { parseArgs } from "node:util";
import { v7 as uuidv7 } from "uuid";
import { addAccount, listAccounts, replaceKeys, revokeKey } from "./accounts/account-store.ts";
import { drawApiKey, storedKey } from "./accounts/new-key.ts";
import { openDatabase, type Database } from "./local-system/database.ts";
import { readSystemSettings } from "./local-system/settings.ts";
import { Problem, runScript } from "./problem.ts";

const usage = `npm run account -- <command> [--json]

  create <name>         add an account and show its key, once
  list                  every account, with the first characters of its keys
  rotate-key <account>  end the account's keys at once and show a new one, once
  revoke-key <prefix>   end the key that begins so

STATE_DIR says which local system's accounts (.data without it); it may be running.`;

/** What a command did: for machines, and for people. */
interface Outcome {
  readonly json: unknown;
  readonly text: string;
}

type Command = (database: Database, argument: string) => Promise<Outcome>;

const commands: Readonly<Record<string, { readonly takesArgument: boolean; readonly run: Command }>> = {
  create: {
    takesArgument: true,
    async run(database, name) {
      const apiKey = drawApiKey();
      const id = uuidv7();
      const added = await addAccount(database, { id, name, key: await storedKey(apiKey), now: Date.now() });
      if (!added) throw new Problem(`An account named ${name} exists already`);
      return {
        json: { account_id: id, name, api_key: apiKey },
        text: `Account ${name} (${id}). Its key, shown this once:\n${apiKey}`,
      };
    },
  },
  list: {
    takesArgument: false,
    async run(database) {
      const accounts = await listAccounts(database);
      return {
        json: accounts.map(({ id, name, createdAt, keyPrefixes }) => ({
          account_id: id,
          name,
          created_at: createdAt,
          key_prefixes: keyPrefixes,
        })),
        text: accounts
          .map(({ id, name, keyPrefixes }) => `${id}  ${name}  ${keyPrefixes.join(" ")}`)
          .join("\n"),
      };
    },
  },
  "rotate-key": {
    takesArgument: true,
    async run(database, account) {
      const apiKey = drawApiKey();
      await replaceKeys(database, account, await storedKey(apiKey), Date.now());
      return {
        json: { account, api_key: apiKey },
        text: `The new key of ${account}, shown this once:\n${apiKey}`,
      };
    },
  },
  "revoke-key": {
    takesArgument: true,
    async run(database, prefix) {
      const account = await revokeKey(database, prefix, Date.now());
      return { json: { account, prefix }, text: `The key ${prefix} of ${account} no longer works` };
    },
  },
};

await runScript(async () => {
  const { values, positionals } = parseCommandLine();
  const [name = "", argument = "", ...rest] = positionals;
  const command = commands[name];
  if (!command || rest.length > 0 || command.takesArgument !== (argument.trim() !== ""))
    throw new Problem(usage);
  const { stateDir } = readSystemSettings(process.env);
  const outcome = await command.run(openDatabase(stateDir), argument.trim());
  console.log(values.json ? JSON.stringify(outcome.json) : outcome.text);
  return 0;
});

function parseCommandLine() {
  try {
    return parseArgs({ allowPositionals: true, options: { json: { type: "boolean", default: false } } });
  } catch (error) {
    throw new Problem(usage, { cause: error });
  }
}
