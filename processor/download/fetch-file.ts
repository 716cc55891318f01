import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { failureOfNetworkError, RangeRefused } from "../network/network-failure.ts";
import { discard, type OpenResponse } from "../network/open-response.ts";
import { createRetries } from "../network/retries.ts";
import { JobFailure } from "../pipeline/job.ts";
import type { SourceFormat } from "../source/source.ts";
import { placeOf, rangeHeaders } from "./byte-range.ts";
import type { Download, DownloadedFile } from "./download-format.ts";

/**
 * Fetches one HTTP resource. A cut connection is taken up where it broke, or from the beginning where the server
 * knows no ranges; `opened` is an answer that is there already, from the first byte.
 */
export async function fetchFile(
  format: SourceFormat,
  opened: OpenResponse | null,
  { network, folder, fileName, signal, limits, onBytes }: Download,
): Promise<DownloadedFile> {
  const path = join(folder, fileName);
  const maxBytes = limits.source_file_bytes;
  const retries = createRetries(signal);
  let ready = opened;
  let received = 0;
  let furthest = 0;
  let validator: string | null = null;

  /** One answer, written; true when the file is whole. */
  async function fetchOnce(): Promise<boolean> {
    const headers = { ...format.headers, ...rangeHeaders(received, format.rangeBytes, validator) };
    const response =
      ready ?? (await network.open(format.url, { headers, signal, silenceMs: limits.source_silence_ms }));
    ready = null;
    const place = placeOf(response);
    if (place.start !== 0 && place.start !== received) {
      discard(response.body);
      throw new JobFailure("source_error", "the source sent another range than asked");
    }
    if ((place.total ?? 0) > maxBytes) {
      discard(response.body);
      throw new JobFailure("too_large");
    }
    received = place.start;
    validator = place.validator;
    const count = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        received += chunk.length;
        if (received > furthest) {
          furthest = received;
          retries.progressed();
        }
        onBytes(received, place.total);
        done(received > maxBytes ? new JobFailure("too_large") : null, chunk);
      },
    });
    const file = createWriteStream(
      path,
      place.start === 0 ? { flags: "w" } : { flags: "r+", start: place.start },
    );
    await pipeline(response.body, count, file, { signal });
    if (place.total === null && response.status === 206 && format.rangeBytes !== null) {
      throw new JobFailure("source_error", "the source does not say how long it is");
    }
    return place.total === null || received >= place.total;
  }

  for (;;) {
    try {
      if (await fetchOnce()) return { path, bytes: received };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof RangeRefused) received = 0;
      await retries.next(failureOfNetworkError(error));
    }
  }
}
