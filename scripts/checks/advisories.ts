import { z } from "zod";

/** The relevant part of `npm audit --json`. An advisory is identified by its page. */
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
 * The advisories that concern the dependencies, each once per affected package; null if the response contains none, as
 * from a registry without advisories.
 */
export function readAdvisories(answer: string): Advisory[] | null {
  const audit = auditSchema.safeParse(parseJson(answer));
  if (!audit.success) return null;
  return Object.entries(audit.data.vulnerabilities).flatMap(([packageName, { severity, via }]) =>
    // A string is another package in the list, through which this one is affected.
    via.flatMap((cause) =>
      typeof cause === "string"
        ? []
        : [{ id: cause.url.split("/").at(-1) ?? cause.url, packageName, severity, title: cause.title }],
    ),
  );
}

/** The advisories that a text argues to be harmless here: a list item that starts with the advisory's id. */
export function exceptedIds(text: string): Set<string> {
  return new Set([...text.matchAll(/^- `(GHSA(?:-[0-9a-z]{4}){3})`: \S/gm)].map(([, id = ""]) => id));
}

/** Null if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
