import { z } from "zod";
import { defaultLimits, titleMaxCharacters, urlMaxCharacters } from "./limits.ts";

/** Body of POST /internal/shows, edge to node: asks whether this is a podcast show, and for its episodes. */
export const showRequestSchema = z.object({
  url: z.string(),
  /** Who is asking, so that one account's shows cannot block everyone else's; empty from edges of earlier versions. */
  account_id: z.string().default(""),
  /** The URL itself says that it is a show: the node does not have to find out, and must not answer `not_a_show`. */
  is_certain: z.boolean(),
  limits: z.object({
    look_ms: z.int().positive(),
    extraction_ms: z.int().positive(),
    /** A source that sends nothing for this long has timed out. */
    silence_ms: z.int().positive().default(defaultLimits.sourceSilenceMs),
    /** All pages of a feed together, uncompressed. */
    feed_bytes: z.int().positive(),
  }),
});
export type ShowRequest = z.infer<typeof showRequestSchema>;

/** Why a show has no episodes to offer; the edge words it for the client. */
const showFailures = ["unreadable", "too_large", "no_episodes", "timed_out"] as const;
export type ShowFailure = (typeof showFailures)[number];

/**
 * One line of the response, which is NDJSON: either just `not_a_show`; or `is_show` as soon as that is known, then
 * `show`, every `episode` in feed order, and `end`. `failed` replaces whatever would have followed. A response without
 * `not_a_show`, `end` or `failed` was cut off and must be discarded.
 *
 * The node leaves out episodes without media and repeated ones (by guid, otherwise by URL), and checks every address;
 * the edge checks the addresses again, and trusts that episodes are distinct.
 */
export const showLineSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("not_a_show") }),
  z.object({ kind: z.literal("is_show") }),
  z.object({
    kind: z.literal("show"),
    title: titleField(),
    /**
     * The feed that the episodes are read from: differs from the requested URL after redirects, or for an Apple page.
     */
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

/** Maximum length of a line without its line break; a longer one aborts the response. */
export const showLineMaxBytes = 32 * 1024;

/** Plain text: decoded, one line, cut to `titleMaxCharacters` code points, each of which takes at most two units. */
function titleField() {
  return z
    .string()
    .max(2 * titleMaxCharacters)
    .nullable();
}

function urlField() {
  return z.string().max(2 * urlMaxCharacters);
}
