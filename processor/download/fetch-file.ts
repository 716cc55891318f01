import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { addAbortSignal } from "node:stream";
import { failureOfNetworkError, RangeRefused } from "../network/network-failure.ts";
import { discard, type OpenResponse } from "../network/open-response.ts";
import { createRetries } from "../network/retries.ts";
import { JobFailure } from "../pipeline/job.ts";
import type { SourceFormat } from "../source/source.ts";
import { placeOf, rangeHeaders, type Place } from "./byte-range.ts";
import type { Download, DownloadedFile } from "./download-format.ts";

/**
 * Fetches one HTTP resource. A cut connection is taken up after the last byte that was written, or from the
 * beginning where the server knows no ranges; `opened` is an answer that is there already, from the first byte.
 */
export async function fetchFile(
  format: SourceFormat,
  opened: OpenResponse | null,
  { network, folder, fileName, signal, limits, onBytes }: Download,
): Promise<DownloadedFile> {
  const { source_file_bytes: maxBytes, source_silence_ms: silenceMs } = limits;
  const retries = createRetries(signal);
  const path = join(folder, fileName);
  const file = await open(path, "w");
  let ready = opened;
  let written = 0;
  let furthest = 0;
  let validator: string | null = null;

  async function nextResponse(): Promise<OpenResponse> {
    const response = ready;
    ready = null;
    if (response !== null) {
      // It was opened under the job's signal, which may abort later than the download's.
      addAbortSignal(signal, response.body);
      return response;
    }
    const headers = { ...format.headers, ...rangeHeaders(written, format.rangeBytes, validator) };
    return network.open(format.url, { headers, signal, silenceMs });
  }

  /** Writes one answer down; true when the file is whole. */
  async function take(response: OpenResponse, place: Place): Promise<boolean> {
    if (place.start === 0) await file.truncate();
    written = place.start;
    validator = place.validator;
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      if (written + chunk.length > maxBytes) throw new JobFailure("too_large");
      await writeAll(file, chunk, written);
      written += chunk.length;
      if (written > furthest) {
        furthest = written;
        retries.progressed();
      }
      onBytes(written, place.total);
    }
    return place.total === null || written >= place.total;
  }

  try {
    for (;;) {
      try {
        const response = await nextResponse();
        const place = placeOf(response);
        const problem = problemOf(place, response, { written, maxBytes, rangeBytes: format.rangeBytes });
        if (problem !== null) {
          discard(response.body);
          throw problem;
        }
        if (await take(response, place)) return { path, bytes: written };
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof RangeRefused) written = 0;
        await retries.next(failureOfNetworkError(error));
      }
    }
  } finally {
    await file.close();
  }
}

/** Why an answer's body cannot be taken, or null. */
function problemOf(
  { start, total }: Place,
  { status }: OpenResponse,
  { written, maxBytes, rangeBytes }: { written: number; maxBytes: number; rangeBytes: number | null },
): JobFailure | null {
  if (start !== 0 && start !== written) {
    return new JobFailure("source_error", "the source sent another range than asked");
  }
  if (total === null && status === 206 && rangeBytes !== null) {
    return new JobFailure("source_error", "the source does not say how long it is");
  }
  return total !== null && total > maxBytes ? new JobFailure("too_large") : null;
}

/** A single write may take less than it was given. */
async function writeAll(file: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let done = 0; done < chunk.length;) {
    const { bytesWritten } = await file.write(chunk, done, chunk.length - done, position + done);
    done += bytesWritten;
  }
}
