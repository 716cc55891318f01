import { provideTools } from "./local-system/tools.ts";
import { readSystemSettings } from "./local-system/settings.ts";
import { stopSignal } from "./local-system/stop-signal.ts";
import { startLocalSystem, type LocalSystem } from "./local-system/system.ts";
import { runScript } from "./problem.ts";

await runScript(async () => {
  const settings = readSystemSettings(process.env);
  let system: LocalSystem | null = null;
  const signal = stopSignal(() => {
    system?.kill();
    process.exit(1);
  });
  await provideTools();
  const started = await startLocalSystem(settings, { signal, say: console.log }).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
  if (!started) return 130;
  system = started;
  console.log(summary(started));
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  console.log("Stopping …");
  await started.stop();
  return 0;
});

function summary({ url, nodeUrl, apiKey }: LocalSystem): string {
  return [
    "",
    `API        ${url}`,
    `API pages  ${url}/swagger`,
    `Node       ${nodeUrl}`,
    `API key    ${apiKey}`,
    "",
    `ready: POST ${url}/jobs with x-api-key; Ctrl-C stops everything`,
  ].join("\n");
}
