import { z } from "zod";
import { defaultLimits, titleMaxCharacters, urlMaxCharacters } from "./limits.ts";

/** Body of POST /internal/shows, edge to node: is this a podcast show, and which episodes has it? */
export const showRequestSchema = z.object({
  url: z.string(),
  /** Who asks, so that nobody's shows keep everybody else's waiting; empty from an edge that does not say. */
  account_id: z.string().default(""),
  /** The URL itself says that it is a show: the node does not ask itself whether, and `not_a_show` is no answer. */
  is_certain: z.boolean(),
  limits: z.object({
    look_ms: z.int().positive(),
    extraction_ms: z.int().positive(),
    /** A source that says nothing for so long has timed out. */
    silence_ms: z.int().positive().default(defaultLimits.sourceSilenceMs),
    /** Of all pages of a feed together, unpacked. */
    feed_bytes: z.int().positive(),
  }),
});
export type ShowRequest = z.infer<typeof showRequestSchema>;

/** Why a show has no episodes to give: the sentence for the client is the edge's. */
const showFailures = ["unreadable", "too_large", "no_episodes", "timed_out"] as const;
export type ShowFailure = (typeof showFailures)[number];

/**
 * One line of the answer, which is NDJSON: either `not_a_show` alone; or `is_show` as soon as that is known, then
 * `show`, every `episode` in the feed's order, and `end`. `failed` takes the place of whatever would have followed. An
 * answer without `not_a_show`, `end` or `failed` was cut off, and is as good as none.
 *
 * The node leaves out episodes without media and what names an episode again, by guid, else by URL, and checks every
 * address; the edge checks the addresses once more, and takes episodes as distinct.
 */
export const showLineSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("not_a_show") }),
  z.object({ kind: z.literal("is_show") }),
  z.object({
    kind: z.literal("show"),
    title: titleField(),
    /** What the episodes are read from: differs from the URL asked for after redirects, or of an Apple page. */
    feed_url: urlField(),
  }),
  z.object({ kind: z.literal("episode"), url: urlField(), title: titleField() }),
  z.object({
    kind: z.literal("end"),
    /** How many `episode` lines there were. */
    episodes: z.int().positive(),
  }),
  z.object({ kind: z.literal("failed"), code: z.enum(showFailures) }),
]);
export type ShowLine = z.infer<typeof showLineSchema>;

/** No line is longer, its end not counted; what is longer breaks the answer off. */
export const showLineMaxBytes = 32 * 1024;

/** A plain text: decoded, one line, cut to `titleMaxCharacters` code points, of which each takes at most two units. */
function titleField() {
  return z
    .string()
    .max(2 * titleMaxCharacters)
    .nullable();
}

function urlField() {
  return z.string().max(2 * urlMaxCharacters);
}
