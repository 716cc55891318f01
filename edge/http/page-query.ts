import { z } from "@hono/zod-openapi";

/** The most entries a page can have. */
const limitMax = 100;
const offsetMax = 1_000_000_000;

/** The query parameters of a page of a list, newest entries first. */
export function pageFields({ limitDefault }: { limitDefault: number }) {
  return {
    limit: integerField("limit", { minimum: 1, maximum: limitMax, default: limitDefault }).openapi({
      description: "How many entries to return.",
    }),
    offset: integerField("offset", { minimum: 0, maximum: offsetMax, default: 0 }).openapi({
      description: "How many entries to skip.",
    }),
  };
}

/** An id to filter by, lower case as stored. */
export function idFilter(message: string) {
  return z
    .union([z.literal(""), z.guid(message)], message)
    .optional()
    .transform((id) => id?.toLowerCase() || undefined)
    .openapi({ type: "string", format: "uuid" });
}

/** An integer query parameter; an empty one counts as absent. */
function integerField(name: string, range: { minimum: number; maximum: number; default: number }) {
  const sentence = `${name} must be an integer from ${range.minimum} to ${range.maximum}`;
  return z
    .string(sentence)
    .optional()
    .transform((text, context) => {
      if (!text) return range.default;
      const number = Number(text);
      if (/^\d+$/.test(text) && number >= range.minimum && number <= range.maximum) return number;
      context.addIssue(sentence);
      return z.NEVER;
    })
    .openapi({ type: "integer", ...range });
}
