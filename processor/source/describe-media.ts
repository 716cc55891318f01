import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OpenResponse } from "../network/open-response.ts";
import { JobFailure } from "../pipeline/job.ts";
import { preferDefaultAudio } from "./default-audio.ts";
import { describingArguments } from "./downloader-arguments.ts";
import { lookBounds } from "./downloader.ts";
import { failureOfComplaints } from "./downloader-failure.ts";
import type { Address } from "./fetch-whole.ts";
import { lookAt } from "./first-look.ts";
import { lookAtManifest } from "./look-at-manifest.ts";
import { liveFailure } from "./media-info.ts";
import { readDescriptionApart } from "./read-description-apart.ts";
import type { SourceContext } from "./source-context.ts";
import type { Source } from "./source.ts";
import { withoutSecrets } from "./without-secrets.ts";

/** Some pages contain megabytes of text, which the description repeats and escapes. */
const descriptionMaxBytes = 64 * 1024 * 1024;

/** Asks the downloader what is at a URL, and saves its description in the job's folder. Rejects with JobFailure. */
export async function describeMedia(url: string, context: SourceContext): Promise<Source> {
  const { network, downloader, folder, signal, limits } = context;
  const way = { downloader, proxyUrl: network.proxyUrl, silenceMs: limits.source_silence_ms };
  const describedPath = join(folder, "described.json");
  const end = await downloader.run(describingArguments(url, way), {
    folder,
    signal,
    ...lookBounds,
    stdoutMaxBytes: descriptionMaxBytes,
    stdoutPath: describedPath,
    fileMaxBytes: descriptionMaxBytes,
  });
  if (end.outcome === "deadline") throw new JobFailure("connection_timeout");
  if (end.outcome === "exhausted")
    throw new JobFailure("unsupported_url", "describing it takes too much processor time");
  if (end.outcome === "flooded") throw new JobFailure("unsupported_url", "the description is too long");
  if (end.exitCode !== 0) {
    const broken = new Error(
      `the downloader broke (exit code ${end.exitCode}): ${withoutSecrets(end.stderr)}`,
    );
    throw failureOfComplaints(end.stderr) ?? broken;
  }
  const description = await readDescriptionApart(describedPath, signal);
  await rm(describedPath);
  const { source, manifestAddress, masterAddress, fileAddress, medium } = description;
  const firstLook = fileAddress && (await lookAtFile(fileAddress, context));
  const manifest = manifestAddress && (await lookAtManifest(manifestAddress, context));
  if (manifest?.isLive) throw liveFailure();
  const durationSeconds = source.durationSeconds ?? manifest?.durationSeconds ?? null;
  const formats =
    masterAddress === null
      ? source.formats
      : await preferDefaultAudio(source.formats, masterAddress, context);
  const infoPath = join(folder, "description.json");
  await writeFile(infoPath, medium);
  return { ...source, formats, url, durationSeconds, infoPath, firstLook };
}

/** Its response, if it is media; rejects with JobFailure if not. */
async function lookAtFile(file: Address, context: SourceContext): Promise<OpenResponse> {
  const look = await lookAt(file, context);
  if (look.kind === "media") return look.response;
  throw (look.kind === "other" && look.failure) || new JobFailure("unsupported_url");
}
