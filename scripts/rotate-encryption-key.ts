import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { z } from "zod";
import { encryptionKeySchema } from "../edge/encryption/encryption-key.ts";
import { openRemoteDatabase } from "./accounts/remote-database.ts";
import { readEnvironmentFile } from "./deploy/environment-file.ts";
import { productionEnvironment } from "./deploy/worker-config.ts";
import { type Reencrypted, reencryptSecrets } from "./encryption/reencrypt-secrets.ts";
import { openDatabase } from "./local-system/database.ts";
import { startGuard } from "./local-system/guard-client.ts";
import {
  beginKeyRotation,
  encryptionKey,
  endKeyRotation,
  previousEncryptionKey,
} from "./local-system/secrets.ts";
import { readSystemSettings } from "./local-system/settings.ts";
import { Problem, runScript } from "./problem.ts";
import { showProgress } from "./progress-line.ts";

const usage = `npm run rotate-encryption-key -- [--remote]

Re-encrypts every stored secret (of buckets and webhooks) with a new key, after which the previous one is no longer
needed. Safe to repeat; continues after an interruption.

Without --remote: generates a new key for the system in STATE_DIR, which must not be running.
--remote: for the deployed database, that of production unless --environment <name> is given. Both keys are in
deploy.<environment>.env, as ENCRYPTION_KEY and ENCRYPTION_KEY_PREVIOUS, and the deployed Worker has both.
Afterwards the previous one can be removed from both.`;

const root = fileURLToPath(new URL("..", import.meta.url));
const keysSchema = z.object({
  ENCRYPTION_KEY: encryptionKeySchema,
  ENCRYPTION_KEY_PREVIOUS: encryptionKeySchema,
});

await runScript(async () => {
  const { remote, environment } = parseCommandLine();
  const outcomes = remote ? await rotateRemotely(environment) : await rotateLocally();
  for (const outcome of outcomes) console.log(sentenceOf(outcome));
  const isDone = outcomes.every(({ left }) => left === 0);
  console.log(isDone ? "The previous key is no longer needed." : "The previous key is still needed.");
  return isDone ? 0 : 1;
});

function parseCommandLine() {
  try {
    const remote = { type: "boolean", default: false } as const;
    const environment = { type: "string", default: productionEnvironment } as const;
    return parseArgs({ options: { remote, environment } }).values;
  } catch (error) {
    throw new Problem(usage, { cause: error });
  }
}

async function rotateRemotely(environment: string): Promise<Reencrypted[]> {
  const { secrets } = await readEnvironmentFile(root, environment);
  const keys = readKeys(secrets);
  const database = openRemoteDatabase(environment);
  return showProgress("Re-encrypting the secrets", () => reencryptSecrets(database, keys));
}

/**
 * The previous key stays in the state folder until nothing needs it, and a system started in the meantime knows both.
 */
async function rotateLocally(): Promise<Reencrypted[]> {
  const { stateDir } = readSystemSettings(process.env);
  const database = openDatabase(stateDir);
  // Fails if no system has ever run there, before the folder gets a key.
  await database.execute(["SELECT 1 FROM accounts LIMIT 1"]);
  const guard = await startGuard(stateDir);
  try {
    await beginKeyRotation(stateDir);
    const keys = readKeys({
      ENCRYPTION_KEY: await encryptionKey(stateDir),
      ENCRYPTION_KEY_PREVIOUS: (await previousEncryptionKey(stateDir)) ?? undefined,
    });
    const outcomes = await showProgress("Re-encrypting the secrets", () => reencryptSecrets(database, keys));
    if (outcomes.every(({ left }) => left === 0)) await endKeyRotation(stateDir);
    return outcomes;
  } finally {
    await guard.release();
  }
}

/** Newest first. Throws a Problem that names what is missing or wrong, without quoting values. */
function readKeys(variables: Readonly<Record<string, string | undefined>>) {
  const result = keysSchema.safeParse(variables);
  if (result.success) return [result.data.ENCRYPTION_KEY, result.data.ENCRYPTION_KEY_PREVIOUS];
  const problems = result.error.issues.map(({ path }) => `${path.join(".")} must be 32 bytes in base64`);
  throw new Problem(`${problems.join("; ")}\n\n${usage}`);
}

function sentenceOf({ name, rewritten, unreadable, left }: Reencrypted): string {
  const notRead =
    unreadable.length === 0 ? "" : `; neither key can decrypt those of ${unreadable.join(", ")}`;
  return `${name}: ${rewritten} re-encrypted, ${left} left${notRead}`;
}
