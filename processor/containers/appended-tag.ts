/**
 * Whether the bytes after the media begin a tag (ID3 or APE) that a program has appended, although the container has no
 * place for it.
 */
export function isAppendedTag(bytes: Buffer): boolean {
  return /^(TAG|ID3|APETAGEX)/.test(bytes.toString("latin1", 0, tagMarkBytes));
}

/** How many bytes tell a tag. */
export const tagMarkBytes = 8;
