import { provideTools } from "./local-system/tools.ts";
import { withNewestDownloader } from "./local-system/newest-downloader.ts";
import { readSystemSettings, type SystemSettings } from "./local-system/settings.ts";
import { stopSignal } from "./local-system/stop-signal.ts";
import { startLocalSystem, type LocalSystem } from "./local-system/system.ts";
import { runScript } from "./problem.ts";
import { showProgress } from "./progress-line.ts";

await runScript(async () => {
  const settings = readSystemSettings(process.env);
  const signal = stopSignal();
  await provideTools();
  const system = await start(settings, signal).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
  if (!system) return 130;
  console.log(summary(system));
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  await showProgress("Stopping; running jobs get a moment to finish", () => system.stop());
  return 0;
});

async function start(settings: SystemSettings, signal: AbortSignal): Promise<LocalSystem> {
  const around = { signal, say: console.log };
  return startLocalSystem(await withNewestDownloader(settings, around), around);
}

function summary({ url, nodeUrl, apiKey }: LocalSystem): string {
  return [
    "",
    `Dashboard  ${url}/dashboard`,
    `API        ${url}`,
    `API docs   ${url}/swagger`,
    `Node       ${nodeUrl}`,
    `API key    ${apiKey}`,
    "",
    `ready: POST ${url}/jobs with x-api-key; Ctrl-C stops everything`,
  ].join("\n");
}
