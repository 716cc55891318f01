import { tmpdir } from "node:os";
import { type Database, readAnswer } from "../local-system/database.ts";
import { remoteWrangler } from "../deploy/remote-wrangler.ts";
import { nameIn } from "../deploy/worker-config.ts";
import { Problem } from "../problem.ts";

/** The database of a deployment, reached with wrangler's login or CLOUDFLARE_API_TOKEN. */
export function openRemoteDatabase(environment: string): Database {
  const wrangler = remoteWrangler();
  return {
    async execute(statements) {
      const command = ["d1", "execute", nameIn(environment, "ferry"), "--remote", "--json", "--yes"];
      // Outside of wrangler.toml's folder, since its database is the local one: the account knows its own by name.
      const result = await wrangler([...command, "--command", statements.join("; ")], { cwd: tmpdir() });
      if (result.ok) return readAnswer(result.stdout);
      throw new Problem(`The deployed database could not be queried:\n${result.output}`.trim());
    },
  };
}
