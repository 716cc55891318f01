/** Enough that two different files hardly agree in it. */
export const recentMaxBytes = 64 * 1024;

/** The last bytes that arrived of a file, to compare with what another server has in that place. */
export interface RecentBytes {
  /** `bytes` arrived, which begin at this offset. */
  keep(offset: number, bytes: Buffer): void;
  /** At most `recentMaxBytes`, and where they begin. */
  sample(): { readonly start: number; readonly bytes: Buffer };
}

export function createRecentBytes(): RecentBytes {
  let chunks: Buffer[] = [];
  let length = 0;
  let end = 0;
  return {
    keep(offset, bytes) {
      // Pieces of a file arrive in turns: those of one are enough.
      if (offset !== end) {
        chunks = [];
        length = 0;
      }
      chunks.push(bytes);
      length += bytes.length;
      end = offset + bytes.length;
      for (let [first] = chunks; first && length - first.length >= recentMaxBytes; [first] = chunks) {
        chunks.shift();
        length -= first.length;
      }
    },
    sample() {
      const bytes = Buffer.concat(chunks).subarray(-recentMaxBytes);
      return { start: end - bytes.length, bytes };
    },
  };
}
