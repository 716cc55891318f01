import { ConfigError, readConfig, type Config } from "./config.ts";
import { createDependencies } from "./dependencies.ts";
import { createNode } from "./node.ts";
import { startWatchdog } from "./watchdog/watchdog.ts";

const config = configOrExit();
const dependencies = await createDependencies(config).catch((error: unknown) =>
  exitSaying(error instanceof Error ? error.message : String(error)),
);
const { log } = dependencies;
const node = createNode(dependencies);
let stopping = false;

startWatchdog();
process.on("uncaughtException", (error) => {
  log.fatal({ err: error }, "the node crashed");
  process.exit(1);
});
process.on("SIGTERM", () => void stop());
process.on("SIGINT", () => void stop());

try {
  await node.start();
} catch (error) {
  const port = takenPort(error);
  if (port === null) throw error;
  const setting = port === config.metrics?.port ? "METRICS_PORT" : "PORT";
  exitSaying(`Port ${port} is in use by another program; set ${setting} to a free one.`);
}

function configOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return exitSaying(error.message);
  }
}

/** The first signal drains the node; the second ends the process and the programs it started immediately. */
async function stop(): Promise<void> {
  if (stopping) process.exit(1);
  stopping = true;
  const isClean = await node.drain();
  await dependencies.close();
  process.exit(isClean ? 0 : 1);
}

function takenPort(error: unknown): number | null {
  const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
  return isTaken && "port" in error && typeof error.port === "number" ? error.port : null;
}

function exitSaying(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
