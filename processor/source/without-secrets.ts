/** Shorter runs of letters and digits are names and words, longer ones tokens and signatures. */
const tokens = /[\w%+=~-]{32,}/g;
const addresses = /[a-z]{2,10}:\/\/[^\s"'<>]+/gi;
const headers = /\b(authorization|cookie|set-cookie|x-[a-z-]{1,40})(["']?\s{0,8}[:=])[^\n]*/gi;

/** What a program wrote, for the log: URLs, headers and whatever else may be a secret of the source's are left out. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(headers, "$1$2 …").replaceAll(addresses, "(an address)").replaceAll(tokens, "…");
}
