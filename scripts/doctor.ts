import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { drawApiKey } from "./accounts/new-key.ts";
import { examine } from "./doctor/examine.ts";
import { showFindings } from "./doctor/finding.ts";
import type { Patient } from "./doctor/patient.ts";
import { edgeUrl } from "./local-system/edge.ts";
import { demoApiKey, processorSecret } from "./local-system/secrets.ts";
import { readSystemSettings } from "./local-system/settings.ts";
import { Problem, runScript } from "./problem.ts";

const usage = `npm run doctor [-- --url <base URL> --key <key>] [--job [--source <URL>]]

Checks every part of a system, and says what is wrong and how to fix it. Exits with 1 if there is a fault.

  --url     a deployed edge; default: the local system of STATE_DIR and PORT
  --key     API key of any of its accounts; a local system's demo account has one
  --job     also runs a small job end to end and deletes its file
  --source  what that job downloads: a deployed system needs a media file that its nodes can reach

With the nodes' PROCESSOR_SECRET in the environment, the doctor can ask the edge about its database, storage, nodes and
cron; a local system's is read from STATE_DIR.`;

await runScript(async () => {
  const { url, key, job, source } = readArguments();
  if ((url === undefined) !== (key === undefined)) throw new Problem(usage);
  if (job && url !== undefined && source === undefined) throw new Problem(usage);
  const patient = url === undefined || key === undefined ? await localPatient() : deployed(url, key);
  const findings = await examine(patient, { withJob: job, source: source ?? null });
  console.log(showFindings(findings));
  const faults = findings.filter(({ state }) => state === "fault").length;
  console.log(
    faults === 0 ? "\nNothing is wrong." : `\n${faults} of ${findings.length} checks found a fault.`,
  );
  return faults === 0 ? 0 : 1;
});

function deployed(url: string, apiKey: string): Patient {
  const secret = process.env["PROCESSOR_SECRET"] || null;
  return { url: url.replace(/\/$/, ""), apiKey, processorSecret: secret, isLocal: false };
}

async function localPatient(): Promise<Patient> {
  const settings = readSystemSettings(process.env);
  const { stateDir } = settings;
  if (!existsSync(stateDir)) {
    throw new Problem(`No system has run on ${stateDir} yet: start one there with npm start.`);
  }
  return {
    url: edgeUrl(settings),
    apiKey: settings.demoApiKey ?? (await demoApiKey(stateDir, drawApiKey)),
    processorSecret: await processorSecret(stateDir),
    isLocal: true,
  };
}

function readArguments() {
  const text = { type: "string" } as const;
  const options = { url: text, key: text, job: { type: "boolean", default: false }, source: text } as const;
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new Problem(usage, { cause: error });
  }
}
