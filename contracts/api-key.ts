const prefix = "sk_";
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const randomCharacters = 29;
/** Bytes from here on are drawn again: they would make the first characters of the alphabet more frequent. */
const unbiasedBelow = 256 - (256 % alphabet.length);
const pattern = /^sk_[A-Za-z0-9]{29}$/;

/** A new secret key: `sk_` and 29 characters. `randomBytes` must come from a cryptographic generator. */
export function generateApiKey(randomBytes: (count: number) => Uint8Array): string {
  let characters = "";
  while (characters.length < randomCharacters) {
    const drawn = randomBytes(randomCharacters - characters.length).filter((byte) => byte < unbiasedBelow);
    characters += Array.from(drawn, (byte) => alphabet.charAt(byte % alphabet.length)).join("");
  }
  return `${prefix}${characters}`;
}

/** True for a text that has the form of a key; only the database knows whether it is one. */
export function isApiKeyShaped(text: string): boolean {
  return pattern.test(text);
}

/** The part of a key that may be shown: its first 8 characters. */
export function apiKeyPrefix(key: string): string {
  return key.slice(0, 8);
}
