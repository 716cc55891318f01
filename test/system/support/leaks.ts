import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { systemErrorCode } from "../../../scripts/system-error.ts";
import { localStorageVariables } from "../../../scripts/local-system/storage.ts";
import { bucketSecret, urlSecret } from "./planted-secrets.ts";
import { watchArguments } from "./seen-arguments.ts";

export interface LeakWatch {
  /**
   * Searches everything the system has written and all arguments of its programs. Rejects with each place that contains
   * a secret and the kind of secret, never the secret itself.
   */
  finish(): Promise<void>;
}

interface Secret {
  readonly name: string;
  readonly isIn: (text: string) => boolean;
}

const apiKey: Secret = { name: "an API key", isIn: (text) => /sk_[A-Za-z0-9]{29}/.test(text) };
/** The database stores URLs as the account sent them. */
const inUrl: Secret = { name: "a secret in a URL", isIn: holds(urlSecret) };
const known: readonly Secret[] = [
  { name: "a webhook secret", isIn: (text) => /whsec_[A-Za-z0-9+/]{8}/.test(text) },
  { name: "a presigned signature", isIn: (text) => /X-Amz-Signature=/i.test(text) },
  { name: "a bucket's secret key", isIn: holds(bucketSecret) },
  {
    name: "the managed bucket's secret key",
    isIn: holds(localStorageVariables("").STORAGE_SECRET_ACCESS_KEY),
  },
];

/** Watches the system in a state folder, whose programs are `roots` and their descendants, for leaked secrets. */
export function watchForLeaks(stateDir: string, roots: () => readonly (number | undefined)[]): LeakWatch {
  const seenArguments = watchArguments(roots);
  return {
    async finish() {
      const secrets = [...known, ...(await keptSecrets(stateDir))];
      const places = [
        ...(await textsOf(stateDir, "logs/*")).map((text) => ({
          ...text,
          secrets: [...secrets, apiKey, inUrl],
        })),
        ...seenArguments.stop().map((text) => ({
          name: `the arguments of ${text.slice(0, 60)}`,
          text,
          secrets: [...secrets, apiKey, inUrl],
        })),
        ...(await textsOf(stateDir, "wrangler/**/*.sqlite*")).map((text) => ({
          ...text,
          secrets: [...secrets, apiKey],
        })),
      ];
      const leaks = places.flatMap(({ name, text, secrets: forbidden }) =>
        forbidden.filter(({ isIn }) => isIn(text)).map((secret) => `${secret.name} in ${name}`),
      );
      if (!places.some(({ name }) => name.startsWith("logs/"))) leaks.push("no log was written at all");
      if (leaks.length > 0) throw new Error(`Secrets have leaked: ${leaks.join("; ")}`);
    },
  };
}

/** The secrets that the state folder keeps for edge and node. */
async function keptSecrets(stateDir: string): Promise<Secret[]> {
  const files = await textsOf(stateDir, "{processor-secret,encryption-key*}");
  return files.map(({ name, text }) => ({ name, isIn: holds(text.trim()) }));
}

async function textsOf(folder: string, pattern: string): Promise<{ name: string; text: string }[]> {
  const texts: { name: string; text: string }[] = [];
  for await (const name of glob(pattern, { cwd: folder })) {
    try {
      texts.push({ name, text: await readFile(join(folder, name), "latin1") });
    } catch (error) {
      // A database's journal disappears with its last connection.
      if (systemErrorCode(error) !== "ENOENT") throw error;
    }
  }
  return texts;
}

function holds(secret: string) {
  return (text: string): boolean => text.includes(secret);
}
