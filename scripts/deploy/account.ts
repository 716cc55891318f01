import { z } from "zod";
import { Problem } from "../problem.ts";
import type { RemoteWrangler } from "./remote-wrangler.ts";

export interface Account {
  readonly id: string;
  readonly name: string;
  /** Of R2's S3 API. */
  readonly storageEndpoint: string;
}

const whoamiSchema = z.object({ accounts: z.array(z.object({ id: z.string(), name: z.string() })) });

/** The account to deploy to. A Problem says how to log in, or how to choose. */
export async function readAccount(wrangler: RemoteWrangler): Promise<Account> {
  const who = await wrangler(["whoami", "--json"]);
  if (!who.ok) {
    throw new Problem(
      `You are not logged in to Cloudflare: run npx wrangler login or set CLOUDFLARE_API_TOKEN, then run this again. ` +
        `With --dry-run it shows what it would do.\n${who.output}`,
    );
  }
  const { accounts } = whoamiSchema.parse(JSON.parse(who.stdout));
  const chosen = process.env["CLOUDFLARE_ACCOUNT_ID"];
  const possible = chosen === undefined ? accounts : accounts.filter(({ id }) => id === chosen);
  const [account, ...others] = possible;
  if (account === undefined || others.length > 0) {
    const list = accounts.map(({ id, name }) => `  ${id}  ${name}`).join("\n");
    throw new Problem(`Choose an account with CLOUDFLARE_ACCOUNT_ID:\n${list}`);
  }
  return { ...account, storageEndpoint: `https://${account.id}.r2.cloudflarestorage.com` };
}
