import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

/** An account's resources, and every command run on it. */
export interface AccountModel {
  databases: string[];
  queues: string[];
  /** Rules by bucket. */
  buckets: Record<string, string[]>;
  /** Names and values of the secrets, by Worker. */
  workers: Record<string, Record<string, string>>;
  migrated: string[];
  commands: string[];
}

export function emptyAccount(): AccountModel {
  return { databases: [], queues: [], buckets: {}, workers: {}, migrated: [], commands: [] };
}

/**
 * Changes the account as wrangler's command would, just as strictly: what exists cannot be created again, and what is
 * missing cannot be used. Returns its output; throws its error message.
 */
export function runOnAccount(account: AccountModel, args: readonly string[], outputPath: string): string {
  account.commands.push(args.join(" "));
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    strict: false,
    options: {
      name: { type: "string" },
      config: { type: "string" },
      "secrets-file": { type: "string" },
      "abort-multipart-days": { type: "string" },
    },
  });
  const command = positionals.join(" ");
  const subject = positionals.at(-1) ?? "";
  const made = (list: string[], name: string): string => {
    if (list.includes(name)) throw new Error(`${name} already exists`);
    list.push(name);
    return `made ${name}`;
  };
  const rulesOf = (bucket: string): string[] => {
    const rules = account.buckets[bucket];
    if (rules === undefined) throw new Error("The specified bucket does not exist.");
    return rules;
  };

  if (command === "whoami") {
    return JSON.stringify({ loggedIn: true, accounts: [{ id: "acc0unt", name: "Acme" }] });
  }
  if (command === "d1 list")
    return JSON.stringify(
      account.databases.map((name) => ({ name })),
      null,
      2,
    );
  if (command.startsWith("d1 create ")) return made(account.databases, subject);
  if (command.startsWith("queues info ")) {
    if (!account.queues.includes(subject)) throw new Error(`Queue "${subject}" does not exist`);
    return `Queue Name: ${subject}`;
  }
  if (command.startsWith("queues create ")) return made(account.queues, subject);
  if (command.startsWith("r2 bucket create ")) {
    if (account.buckets[subject]) throw new Error(`${subject} already exists`);
    account.buckets[subject] = [];
    return "";
  }
  if (command.startsWith("r2 bucket lifecycle list ")) return rulesOf(subject).join("\n");
  if (command.startsWith("r2 bucket lifecycle add ")) {
    return made(rulesOf(positionals[4] ?? ""), `${subject} ${String(values["abort-multipart-days"])}`);
  }
  if (command === "secret list") {
    const secrets = account.workers[String(values.name)];
    if (!secrets) throw new Error(`Worker "${String(values.name)}" not found.`);
    return JSON.stringify(Object.keys(secrets).map((name) => ({ name, type: "secret_text" })));
  }
  if (command.startsWith("d1 migrations apply ")) {
    if (!account.databases.includes(subject)) throw new Error(`Couldn't find a D1 DB named '${subject}'`);
    account.migrated.push(subject);
    return "";
  }
  if (command.startsWith("secret bulk ")) {
    const secrets = account.workers[String(values.name)];
    if (!secrets) throw new Error(`Worker "${String(values.name)}" not found.`);
    Object.assign(secrets, JSON.parse(readFileSync(subject, "utf8")));
    return "";
  }
  if (command === "deploy") {
    const { name } = JSON.parse(readFileSync(String(values.config), "utf8"));
    const secrets = JSON.parse(readFileSync(String(values["secrets-file"]), "utf8"));
    account.workers[name] = { ...account.workers[name], ...secrets };
    const record = { type: "deploy", targets: [`https://${name}.acme.workers.dev`, "schedule: * * * * *"] };
    writeFileSync(outputPath, `{"type":"wrangler-session"}\n${JSON.stringify(record)}\n`);
    return "";
  }
  throw new Error(`Unknown command: ${command}`);
}
