import { failureOfNetworkError } from "../network/network-failure.ts";
import { discard } from "../network/open-response.ts";
import { createRetries } from "../network/retries.ts";
import { JobFailure } from "../pipeline/job.ts";
import { peek } from "../source/peek.ts";
import type { ListedFile, ListedSubtitle } from "../source/source.ts";
import type { SidecarContext } from "./sidecar-context.ts";

/** A film of six hours has less than a megabyte of subtitles. */
export const subtitleMaxBytes = 5 * 1024 * 1024;
/** Six hours in segments of two seconds. */
const segmentsMax = 11_000;
/** Of one track at once. */
const segmentsAtOnce = 4;

/** Fetches a small file whole, through the guarded network. Rejects with JobFailure, too_large over `maxBytes`. */
export async function fetchListed(
  { url, headers }: ListedFile,
  maxBytes: number,
  { network, signal, task }: SidecarContext,
): Promise<Buffer> {
  const retries = createRetries(signal);
  for (;;) {
    try {
      const response = await network.open(url, {
        headers,
        signal,
        silenceMs: task.limits.source_silence_ms,
      });
      const { head, body } = await peek(response.body, maxBytes + 1);
      discard(body);
      if (head.length > maxBytes) throw new JobFailure("too_large");
      if (response.length !== null && head.length < response.length)
        throw new JobFailure("source_error", "the connection broke");
      return head;
    } catch (error) {
      signal.throwIfAborted();
      await retries.next(failureOfNetworkError(error));
    }
  }
}

/** The files that hold one track of subtitles, in order. Rejects with JobFailure. */
export async function fetchSubtitle(
  content: ListedSubtitle["content"],
  context: SidecarContext,
): Promise<Buffer[]> {
  if ("text" in content) return [Buffer.from(content.text)];
  const files = "files" in content ? content.files : await segmentsOf(content.playlist, context);
  if (files.length > segmentsMax) throw new JobFailure("too_large");
  const fetched: Buffer[] = [];
  let room = subtitleMaxBytes;
  for (let start = 0; start < files.length; start += segmentsAtOnce) {
    const some = files.slice(start, start + segmentsAtOnce);
    const bodies = await Promise.all(some.map((file) => fetchListed(file, room, context)));
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

/** The segments of an HLS media playlist; null where they are encrypted, parts of files, still to come, or none. */
export function readSubtitlePlaylist(text: string, base: string): string[] | null {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  if (!/^\uFEFF?#EXTM3U/.test(lines[0] ?? "")) return null;
  if (lines.some((line) => /^#EXT-X-(STREAM-INF|BYTERANGE|KEY:(?!METHOD=NONE)|MAP)/.test(line))) return null;
  if (!lines.some((line) => /^#EXT-X-(ENDLIST|PLAYLIST-TYPE:VOD)$/.test(line))) return null;
  const references = lines.filter((line) => line !== "" && !line.startsWith("#"));
  if (references.length === 0 || !references.every((one) => URL.canParse(one, base))) return null;
  return references.map((reference) => new URL(reference, base).href);
}
