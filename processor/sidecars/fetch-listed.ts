import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { failureOfNetworkError } from "../network/network-failure.ts";
import { discard, type OpenResponse } from "../network/open-response.ts";
import { createRetries } from "../network/retries.ts";
import { JobFailure } from "../pipeline/job.ts";
import { peek } from "../source/peek.ts";
import type { ListedFile, ListedSubtitle } from "../source/source.ts";
import type { SidecarContext } from "./sidecar-context.ts";

/** A film of six hours has less than a megabyte of subtitles. */
export const subtitleMaxBytes = 5 * 1024 * 1024;
/** Six hours in segments of two seconds. */
const segmentsMax = 11_000;
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
  const text = (await fetchListed(playlist, subtitleMaxBytes, context)).toString();
  const urls = readSubtitlePlaylist(text, playlist.url);
  if (urls === null) throw new JobFailure("unsupported_url", "the playlist is of another kind");
  return urls.map((url) => ({ url, headers: playlist.headers }));
}

/**
 * The segments of an HLS media playlist; null if they are encrypted, byte ranges, incomplete, or missing. Throws
 * JobFailure `too_large` for too many, before resolving URLs that can be a thousand times longer than their lines.
 */
export function readSubtitlePlaylist(text: string, base: string): string[] | null {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  if (!/^\uFEFF?#EXTM3U/.test(lines[0] ?? "")) return null;
  if (lines.some((line) => /^#EXT-X-(STREAM-INF|BYTERANGE|KEY:(?!METHOD=NONE)|MAP)/.test(line))) return null;
  if (!lines.some((line) => /^#EXT-X-(ENDLIST|PLAYLIST-TYPE:VOD)$/.test(line))) return null;
  const references = lines.filter((line) => line !== "" && !line.startsWith("#"));
  if (references.length > segmentsMax) throw new JobFailure("too_large");
  if (references.length === 0 || !references.every((one) => URL.canParse(one, base))) return null;
  return references.map((reference) => new URL(reference, base).href);
}
