import { createServer } from "node:http";
import { answerTo, createFerry, runJob } from "../../client/ferry-client.ts";
import { localHost } from "../local-system/ports.ts";
import { fault, type Finding, ok } from "./finding.ts";
import { type Patient, reach } from "./patient.ts";

const part = "Job";
const endsWithinMs = 120_000;
const sampleRate = 8000;

/**
 * Runs one job through the whole system, downloads its file through the presigned URL and deletes it. Its source is
 * `source`, or by default a second of silence served by this machine, which only a local system can reach.
 */
export async function checkJob({ url, apiKey }: Patient, source: string | null): Promise<Finding> {
  const served = source === null ? await serveSilence() : null;
  try {
    return await runOne({ url, apiKey }, source ?? served?.url ?? "");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fault(
      part,
      `did not complete: ${reason}`,
      "The other findings, and the edge's and the node's log, say why.",
    );
  } finally {
    await served?.close();
  }
}

async function runOne({ url, apiKey }: Pick<Patient, "url" | "apiKey">, source: string): Promise<Finding> {
  const ferry = createFerry({ baseUrl: url, apiKey });
  const signal = AbortSignal.timeout(endsWithinMs);
  const request = { url: source, folder: "doctor", audio_only: true };
  const job = await runJob(ferry, request, { signal, intervalMs: 200 });
  if (job.status !== "Completed" || !job.storage_url) {
    return fault(
      part,
      `failed: ${job.error}`,
      `Look for its job_id ${job.id} in the edge's and the node's log.`,
    );
  }
  const reached = await reach(job.storage_url);
  const bytes = "response" in reached ? (await reached.response.arrayBuffer()).byteLength : 0;
  await answerTo(ferry.DELETE("/jobs/{id}/file", { params: { path: { id: job.id } } }));
  if (bytes !== job.file_size) {
    const why = "unreached" in reached ? reached.unreached : `it answers ${reached.response.status}`;
    return fault(
      part,
      `is stored, but its presigned URL does not return it: ${why}`,
      "STORAGE_ENDPOINT has to be reachable for clients too.",
    );
  }
  return ok(part, `completed in ${job.timings?.total_ms} ms; its ${bytes} bytes were downloaded and deleted`);
}

async function serveSilence(): Promise<{ url: string; close(): Promise<void> }> {
  const wave = silentWave();
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "audio/wav", "content-length": wave.byteLength }).end(wave);
  });
  await new Promise<void>((resolve) => server.listen(0, localHost, resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://${localHost}:${port}/doctor.wav`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A second of silence as a WAV file: 16-bit PCM, one channel. */
function silentWave(): Buffer {
  const samples = Buffer.alloc(2 * sampleRate);
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + samples.byteLength, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(2 * sampleRate, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(samples.byteLength, 40);
  return Buffer.concat([header, samples]);
}
