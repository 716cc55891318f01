import { v7 as uuidv7 } from "uuid";
import { provideAccount } from "../accounts/account-store.ts";
import { drawApiKey, storedKey } from "../accounts/new-key.ts";
import type { Database } from "./database.ts";
import { demoApiKey } from "./secrets.ts";
import type { SystemSettings } from "./settings.ts";

const demoAccountName = "demo";

/**
 * Makes sure that the demo account exists and has the key from the settings, or the state folder's own. Returns the
 * key.
 */
export async function ensureDemoAccount(settings: SystemSettings, database: Database): Promise<string> {
  const apiKey = settings.demoApiKey ?? (await demoApiKey(settings.stateDir, drawApiKey));
  const key = await storedKey(apiKey);
  await provideAccount(database, { id: uuidv7(), name: demoAccountName, key, now: Date.now() });
  return apiKey;
}
