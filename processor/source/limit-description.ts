import { JobFailure } from "../pipeline/job.ts";
import type { Description } from "./read-description.ts";

/** Several times what the largest sites list. */
const formatsMax = 10_000;
const subtitlesMax = 1000;
const thumbnailsMax = 1000;
/** Of all formats together: forty of a film of six hours, in segments of two seconds. */
const fragmentsMax = 432_000;
const subtitleFilesMax = 200_000;

/**
 * The description without subtitles and thumbnails beyond those that any site has. Throws JobFailure `unsupported_url`
 * if it lists more formats or segments than media have: everything after this happens in the node's own thread.
 */
export function limitDescription(description: Description): Description {
  const { formats, listed } = description.source;
  const fragments = formats.reduce((sum, format) => sum + format.fragments.length, 0);
  if (formats.length > formatsMax || fragments > fragmentsMax) {
    throw new JobFailure("unsupported_url", "there are too many formats or segments");
  }
  let filesLeft = subtitleFilesMax;
  const subtitles = listed.subtitles.slice(0, subtitlesMax).filter(({ content }) => {
    filesLeft -= "files" in content ? content.files.length : 0;
    return filesLeft >= 0;
  });
  const thumbnails = listed.thumbnails.slice(-thumbnailsMax);
  return { ...description, source: { ...description.source, listed: { ...listed, subtitles, thumbnails } } };
}
