import { JobFailure } from "../pipeline/job.ts";
import { discard } from "../network/open-response.ts";
import { resolveSource } from "./resolve-source.ts";
import type { SourceContext } from "./source-context.ts";
import type { Source, SourceFormat } from "./source.ts";

/**
 * The same format with its current addresses: those of many sites expire after minutes or hours. Rejects like
 * `resolveSource`, and with `source_error` if the source no longer offers it.
 */
export async function renewFormat(
  { id }: SourceFormat,
  { url }: Source,
  context: SourceContext,
): Promise<SourceFormat> {
  const { formats, firstLook } = await resolveSource(url, context);
  if (firstLook !== null) discard(firstLook.body);
  const renewed = formats.find((format) => format.id === id);
  if (renewed === undefined) throw new JobFailure("source_error", "the source changed while it was fetched");
  return renewed;
}
