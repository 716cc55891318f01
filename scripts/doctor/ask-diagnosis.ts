import { type Diagnosis, diagnosisSchema } from "../../contracts/diagnosis.ts";
import { signatureWindowMs } from "../../contracts/limits.ts";
import { internalPaths } from "../../contracts/signed-message.ts";
import { signatureHeaders } from "../../processor/message-signature.ts";
import { fault, type Finding, skipped } from "./finding.ts";
import { type Patient, reach } from "./patient.ts";

const part = "Diagnosis";

/** Asks the edge for what only it can find out, signed like a node's request; or says why there is no answer. */
export async function askDiagnosis({ url, processorSecret, isLocal }: Patient): Promise<Diagnosis | Finding> {
  if (processorSecret === null) {
    return skipped(part, "Without PROCESSOR_SECRET database, storage, nodes and cron are not checked");
  }
  const body = Buffer.from("{}");
  const timestampMs = Date.now();
  const message = {
    direction: "node-to-edge",
    method: "POST",
    path: internalPaths.diagnosis,
    timestampMs,
    body,
  } as const;
  const reached = await reach(`${url}${internalPaths.diagnosis}`, {
    method: "POST",
    headers: { ...signatureHeaders(message, [processorSecret]), "content-type": "application/json" },
    body,
  });
  if ("unreached" in reached) return fault(part, reached.unreached, "Run the doctor again.");
  const { response } = reached;
  if (response.ok) {
    const diagnosis = diagnosisSchema.safeParse(await response.json());
    if (diagnosis.success) return diagnosis.data;
    return fault(part, "The edge's response cannot be read", "It has another version: deploy this one.");
  }
  if (response.status === 401) return refused(response, timestampMs, isLocal);
  if (response.status === 404) {
    return fault(part, "The edge has no diagnosis", "It has an earlier version: deploy this one.");
  }
  return fault(
    part,
    `The edge's diagnosis failed with status ${response.status}`,
    `Look in its log for the request ${response.headers.get("x-request-id") ?? "at this time"}.`,
  );
}

function refused(response: Response, sentAtMs: number, isLocal: boolean): Finding {
  const aheadMs = Date.parse(response.headers.get("date") ?? "") - sentAtMs;
  if (Math.abs(aheadMs) > signatureWindowMs) {
    return fault(
      part,
      `This machine's clock is ${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? "behind" : "ahead"}`,
      "Set it, preferably with NTP.",
    );
  }
  return fault(
    part,
    "The edge has another PROCESSOR_SECRET",
    isLocal
      ? "STATE_DIR belongs to another system than the one that responds."
      : "Use the edge's, which its nodes need as well.",
  );
}
