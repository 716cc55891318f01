import { z } from "zod";
import { JobFailure } from "../pipeline/job.ts";
import type { Address } from "./fetch-whole.ts";
import {
  guessedFile,
  onlyMedium,
  sourceOfMedium,
  undecidedAudio,
  undescribedManifest,
} from "./media-info.ts";
import type { Source } from "./source.ts";

/** What a description of the downloader's says. Plain data, which threads can pass to each other. */
export interface Description {
  readonly source: Omit<Source, "url" | "infoPath" | "firstLook">;
  /** A manifest that says what the description does not; see `undescribedManifest`. */
  readonly manifestAddress: Address | null;
  /** The HLS master playlist that says which audio is the default; see `undecidedAudio`. */
  readonly masterAddress: Address | null;
  /** A file that has yet to be looked at; see `guessedFile`. */
  readonly fileAddress: Address | null;
  /** JSON of the only medium, which the downloader can fetch from. */
  readonly medium: string;
}

/** Throws JobFailure. Much of a description was written by strangers: one that cannot be read is not this node's fault. */
export function readDescription(text: string): Description {
  try {
    const medium = onlyMedium(JSON.parse(text));
    return {
      source: sourceOfMedium(medium),
      manifestAddress: undescribedManifest(medium),
      masterAddress: undecidedAudio(medium),
      fileAddress: guessedFile(medium),
      medium: JSON.stringify(medium),
    };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    throw new JobFailure("unsupported_url", "the description cannot be read", { cause: error });
  }
}
