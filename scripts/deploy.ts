import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildAssets } from "./build-assets.ts";
import { deploy, planDeployment } from "./deploy/deploy.ts";
import { remoteWrangler } from "./deploy/remote-wrangler.ts";
import { productionEnvironment } from "./deploy/worker-config.ts";
import { Problem, runScript } from "./problem.ts";
import { showProgress } from "./progress-line.ts";
import { bundleWorker } from "./tests/bundle-worker.ts";

const usage = `npm run deploy -- [--environment <name>] [--dry-run]

Creates what is missing in the Cloudflare account that wrangler is logged in to: database, queues, bucket with its
lifecycle rule, secrets and migrations; then deploys the Worker. Safe to repeat. The default environment is production;
any other name, such as staging, becomes part of all resource names. Its settings are in deploy.<name>.env.

--dry-run shows every command and bundles the Worker, without an account.`;

const root = fileURLToPath(new URL("..", import.meta.url));

await runScript(async () => {
  const { environment, dryRun } = readCommandLine();
  await showProgress("Building the dashboard and the pages", buildAssets);
  if (dryRun) {
    const { commands, configPath } = await planDeployment(root, environment);
    console.log(commands.join("\n"));
    const { failed } = await bundleWorker(configPath);
    return failed;
  }
  const targets = await deploy({ environment, root, wrangler: remoteWrangler(), say: console.log });
  const flag = environment === productionEnvironment ? "" : ` --environment ${environment}`;
  console.log(`\nFerry runs at ${targets.join(" and ")}`);
  console.log(`To create an account and its key: npm run account -- create "Acme" --remote${flag}`);
  return 0;
});

function readCommandLine(): { environment: string; dryRun: boolean } {
  try {
    const { values } = parseArgs({
      options: {
        environment: { type: "string", default: productionEnvironment },
        "dry-run": { type: "boolean", default: false },
      },
    });
    if (!/^[a-z][a-z0-9]{0,19}$/.test(values.environment)) throw new Problem(usage);
    return { environment: values.environment, dryRun: values["dry-run"] };
  } catch (error) {
    throw new Problem(usage, { cause: error });
  }
}
