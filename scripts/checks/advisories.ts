import { z } from "zod";

/** What `npm audit --json` says, as far as it matters. An advisory is known by its page. */
const auditSchema = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({
      severity: z.string(),
      via: z.array(z.union([z.string(), z.object({ url: z.string(), title: z.string() })])),
    }),
  ),
});

export interface Advisory {
  /** Such as `GHSA-xxxx-xxxx-xxxx`. */
  readonly id: string;
  readonly packageName: string;
  readonly severity: string;
  readonly title: string;
}

/**
 * The advisories that concern the dependencies, each once for every package it is about; null for an answer that is
 * none, as of a registry without advisories.
 */
export function readAdvisories(answer: string): Advisory[] | null {
  const audit = auditSchema.safeParse(parseJson(answer));
  if (!audit.success) return null;
  return Object.entries(audit.data.vulnerabilities).flatMap(([packageName, { severity, via }]) =>
    // A text is another package of the list, through which this one is concerned.
    via.flatMap((cause) =>
      typeof cause === "string"
        ? []
        : [{ id: cause.url.split("/").at(-1) ?? cause.url, packageName, severity, title: cause.title }],
    ),
  );
}

/** The advisories that a text argues to be no danger here: a list item that begins with the advisory's id. */
export function exceptedIds(text: string): Set<string> {
  return new Set([...text.matchAll(/^- `(GHSA(?:-[0-9a-z]{4}){3})`: \S/gm)].map(([, id = ""]) => id));
}

/** Null for what is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
