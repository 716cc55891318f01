import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { failureOfNetworkError } from "../network/network-failure.ts";
import { discard, type OpenResponse } from "../network/open-response.ts";
import { createRetries } from "../network/retries.ts";
import { parseApart } from "../parsing/parse-apart.ts";
import { JobFailure } from "../pipeline/job.ts";
import { peek } from "../source/peek.ts";
import type { ListedFile, ListedSubtitle } from "../source/source.ts";
import { segmentsMax } from "./read-subtitle-playlist.ts";
import type { SidecarContext } from "./sidecar-context.ts";

/** A film of six hours has less than a megabyte of subtitles. */
export const subtitleMaxBytes = 5 * 1024 * 1024;
/** Concurrently, for one track. */
const segmentsAtOnce = 4;
/** Segments are kept in memory until the track is complete; minutes of text are a few kilobytes. */
const segmentMaxBytes = 1024 * 1024;

/**
 * Fetches a small file completely, through the guarded network. Rejects with JobFailure, `too_large` above `maxBytes`.
 */
function fetchListed(file: ListedFile, maxBytes: number, context: SidecarContext): Promise<Buffer> {
  return opened(file, context, async ({ body, length }) => {
    const { head, body: rest } = await peek(body, maxBytes + 1);
    discard(rest);
    if (head.length > maxBytes) throw new JobFailure("too_large");
    if (length !== null && head.length < length) throw new JobFailure("source_error", "the connection broke");
    return head;
  });
}

/** Like `fetchListed`, but into a file, with only one piece in memory at a time. */
export async function fetchIntoFile(
  file: ListedFile,
  path: string,
  maxBytes: number,
  context: SidecarContext,
): Promise<void> {
  const bytes = await opened(file, context, async ({ body, length }) => {
    let arrived = 0;
    async function* bounded(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
      for await (const chunk of chunks) {
        arrived += chunk.length;
        if (arrived > maxBytes) throw new JobFailure("too_large");
        yield chunk;
      }
    }
    await pipeline(body, bounded, createWriteStream(path));
    if (length !== null && arrived < length) throw new JobFailure("source_error", "the connection broke");
    return arrived;
  });
  await context.disk.take(bytes, context.signal);
}

/** Requests a file until its response could be read, as often as is worthwhile. */
async function opened<Result>(
  { url, headers }: ListedFile,
  { network, signal, task }: SidecarContext,
  read: (response: OpenResponse) => Promise<Result>,
): Promise<Result> {
  const retries = createRetries(signal, network.patience);
  for (;;) {
    try {
      return await read(
        await network.open(url, { headers, signal, silenceMs: task.limits.source_silence_ms }),
      );
    } catch (error) {
      signal.throwIfAborted();
      await retries.next(failureOfNetworkError(error));
    }
  }
}

/** The files that make up one subtitle track, in order. Rejects with JobFailure. */
export async function fetchSubtitle(
  content: ListedSubtitle["content"],
  context: SidecarContext,
): Promise<Buffer[]> {
  if ("text" in content) return [Buffer.from(content.text)];
  const files = "files" in content ? content.files : await segmentsOf(content.playlist, context);
  if (files.length > segmentsMax) throw new JobFailure("too_large");
  const fetched: Buffer[] = [];
  const oneMaxBytes = files.length === 1 ? subtitleMaxBytes : segmentMaxBytes;
  let room = subtitleMaxBytes;
  for (let start = 0; start < files.length; start += segmentsAtOnce) {
    const some = files.slice(start, start + segmentsAtOnce);
    const bodies = await Promise.all(
      some.map((file) => fetchListed(file, Math.min(room, oneMaxBytes), context)),
    );
    room -= bodies.reduce((bytes, body) => bytes + body.length, 0);
    if (room < 0) throw new JobFailure("too_large");
    fetched.push(...bodies);
  }
  return fetched;
}

async function segmentsOf(playlist: ListedFile, context: SidecarContext): Promise<ListedFile[]> {
  const content = await fetchListed(playlist, subtitleMaxBytes, context);
  const { url: base } = playlist;
  const urls = await parseApart("subtitlePlaylist", { content, url: base }, context.signal);
  if (urls === null) throw new JobFailure("unsupported_url", "the playlist is of another kind");
  return urls.map((url) => ({ url, headers: playlist.headers }));
}
