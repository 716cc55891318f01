import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { addAbortSignal } from "node:stream";
import { failureOfNetworkError, RangeRefused } from "../network/network-failure.ts";
import { discard, type OpenResponse } from "../network/open-response.ts";
import { createRetries } from "../network/retries.ts";
import { JobFailure } from "../pipeline/job.ts";
import type { SourceFormat } from "../source/source.ts";
import { bodyChunks } from "./body-chunks.ts";
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
  let total: number | null = null;

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

  /** Writes one answer down. Rejects when it breaks, or ends before what it announced. */
  async function take(response: OpenResponse, place: Place): Promise<void> {
    if (place.start === 0) await file.truncate();
    written = place.start;
    ({ validator, total } = place);
    for await (const chunk of bodyChunks(response.body)) {
      if (written + chunk.length > maxBytes) throw new JobFailure("too_large");
      await writeAll(file, chunk, written);
      written += chunk.length;
      if (written > furthest) {
        furthest = written;
        retries.progressed();
      }
      onBytes(written, place.total);
    }
    if (place.end !== null && written < place.end)
      throw new JobFailure("source_error", "the connection broke");
    if (written === place.start) throw new JobFailure("source_error", "the source sent nothing");
  }

  /** An error after the last byte, such as a server that hangs up at once, is none. */
  const isWhole = () => total !== null && written >= total;

  try {
    for (;;) {
      try {
        const response = await nextResponse();
        const place = placeOf(response);
        const problem = problemOf(place, response, {
          written,
          total,
          maxBytes,
          rangeBytes: format.rangeBytes,
        });
        if (problem !== null) {
          discard(response.body);
          if (place.start !== 0) written = 0;
          throw problem;
        }
        await take(response, place);
        if (place.total === null || isWhole()) return { path, bytes: written };
      } catch (error) {
        signal.throwIfAborted();
        if (isWhole()) return { path, bytes: written };
        if (error instanceof RangeRefused) written = 0;
        await retries.next(failureOfNetworkError(error));
      }
    }
  } finally {
    await file.close();
  }
}

interface Expected {
  readonly written: number;
  /** As the answer said that the written bytes came with. */
  readonly total: number | null;
  readonly maxBytes: number;
  readonly rangeBytes: number | null;
}

/** Why an answer's body cannot be taken, or null. */
function problemOf(place: Place, { status }: OpenResponse, expected: Expected): JobFailure | null {
  const { start, total } = place;
  if (start !== 0 && start !== expected.written) {
    return new JobFailure("source_error", "the source sent another range than asked");
  }
  if (start !== 0 && total !== expected.total) {
    return new JobFailure("source_error", "the source changed while it was fetched");
  }
  if (total === null && status === 206 && expected.rangeBytes !== null) {
    return new JobFailure("source_error", "the source does not say how long it is");
  }
  return total !== null && total > expected.maxBytes ? new JobFailure("too_large") : null;
}

/** A single write may take less than it was given. */
async function writeAll(file: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let done = 0; done < chunk.length;) {
    const { bytesWritten } = await file.write(chunk, done, chunk.length - done, position + done);
    done += bytesWritten;
  }
}
