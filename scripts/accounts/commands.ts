import { v7 as uuidv7 } from "uuid";
import type { Database } from "../local-system/database.ts";
import { Problem } from "../problem.ts";
import {
  addAccount,
  enableBilling,
  limitAccount,
  type Limits,
  listAccounts,
  replaceKeys,
  revokeKey,
} from "./account-store.ts";
import { drawApiKey, storedKey } from "./new-key.ts";

/** What a command did: for machines, and for people. */
export interface Outcome {
  readonly json: unknown;
  readonly text: string;
}

/** Options that belong to some command. */
export const commandOptions = ["period-start", "running", "pending"] as const;
export type CommandOption = (typeof commandOptions)[number];

export interface Given {
  /** What follows the command's name; empty if it takes nothing. */
  readonly argument: string;
  /** The values of a command's own options, by name, as typed; a missing one was not given. */
  readonly options: Readonly<Partial<Record<CommandOption, string>>>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface Command {
  readonly takesArgument: boolean;
  /** Its own options, of which at least one is needed. */
  readonly options?: readonly CommandOption[];
  /** Throws a Problem that says what is wrong. */
  readonly run: (database: Database, given: Given) => Promise<Outcome>;
}

/** The edge looks a key up again after that time. */
const endOfOldKeys =
  "A revoked key may still be accepted for half a minute, and streams opened with it end within 40 seconds.";

function isAccountName(text: string): boolean {
  return Array.from(text).length <= 100 && !/\p{C}/u.test(text);
}

/** The commands of `npm run account`, by name. */
export const commands: Readonly<Record<string, Command>> = {
  create: {
    takesArgument: true,
    async run(database, { argument: name, now }) {
      if (!isAccountName(name))
        throw new Problem("A name has at most 100 characters and no control characters");
      const apiKey = drawApiKey();
      const id = uuidv7();
      const added = await addAccount(database, { id, name, key: await storedKey(apiKey), now });
      if (!added) throw new Problem(`An account named ${name} already exists`);
      return {
        json: { account_id: id, name, api_key: apiKey },
        text: `Account ${name} (${id}). Its key, shown only once:\n${apiKey}`,
      };
    },
  },
  list: {
    takesArgument: false,
    async run(database) {
      const accounts = await listAccounts(database);
      return {
        json: accounts.map(({ id, name, createdAt, billingStart, limits, keyPrefixes }) => ({
          account_id: id,
          name,
          created_at: createdAt,
          billing_start: billingStart,
          limits,
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
    async run(database, { argument: account, now }) {
      const apiKey = drawApiKey();
      await replaceKeys(database, account, await storedKey(apiKey), now);
      return {
        json: { account, api_key: apiKey },
        text: `The new key of ${account}, shown only once:\n${apiKey}\n${endOfOldKeys}`,
      };
    },
  },
  "revoke-key": {
    takesArgument: true,
    async run(database, { argument: prefix, now }) {
      const account = await revokeKey(database, prefix, now);
      return {
        json: { account, prefix },
        text: `The key ${prefix} of ${account} is revoked. ${endOfOldKeys}`,
      };
    },
  },
  "enable-billing": {
    takesArgument: true,
    options: ["period-start"],
    async run(database, { argument: account, options, now }) {
      const start = readPeriodStart(options["period-start"] ?? "", now);
      const name = await enableBilling(database, account, start, now);
      return {
        json: { account: name, billing_start: start },
        text: `Billing periods of ${name} are months from ${new Date(start).toISOString()}`,
      };
    },
  },
  limit: {
    takesArgument: true,
    options: ["running", "pending"],
    async run(database, { argument: account, options }) {
      const { name, running, pending } = await limitAccount(database, account, {
        ...readLimit("running", options),
        ...readLimit("pending", options),
      });
      return {
        json: { account: name, limits: { running, pending } },
        text: `Jobs of ${name} that may run at a time: ${running ?? "no limit"}; that may wait: ${pending ?? "no limit"}`,
      };
    },
  },
};

const limitMax = 1_000_000_000;

/** The limit that was typed, null for "none"; nothing if it was not given. */
function readLimit(name: keyof Limits, options: Given["options"]): Partial<Limits> {
  const typed = options[name];
  if (typed === undefined) return {};
  if (typed === "none") return { [name]: null };
  const limit = /^\d{1,10}$/.test(typed) ? Number(typed) : Number.NaN;
  if (limit >= 1 && limit <= limitMax) return { [name]: limit };
  throw new Problem(`--${name} must be a whole number from 1 to ${limitMax}, or none`);
}

/** A time in seconds that is mistaken for milliseconds lies before this. */
const earliestStart = Date.UTC(2000, 0, 1);

function readPeriodStart(typed: string, now: number): number {
  const start = /^\d{1,15}$/.test(typed) ? Number(typed) : Number.NaN;
  if (start >= earliestStart && start <= now) return start;
  throw new Problem("--period-start must be milliseconds since the Unix epoch, and not in the future");
}
