import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { apiKeyPrefix, generateApiKey, isApiKeyShaped } from "../../contracts/api-key.ts";

describe("generateApiKey", () => {
  it("creates a key of the published format from any bytes", () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.integer({ min: 0, max: 255 })), (bytes) => {
        // One byte of each draw is always accepted, so that the test ends.
        const key = generateApiKey((count) => Uint8Array.from([...bytes.take(count)].with(0, 7)));
        expect(key).toHaveLength(32);
        expect(isApiKeyShaped(key)).toBe(true);
        expect(apiKeyPrefix(key)).toBe(key.slice(0, 8));
      }),
    );
  });

  it("uses each character for the same number of byte values", () => {
    const uses = new Map<string, number>();
    for (let byte = 0; byte < 256; byte += 1) {
      let isFirst = true;
      const key = generateApiKey((count) => {
        const drawn = new Uint8Array(count).fill(isFirst ? byte : 0);
        isFirst = false;
        return drawn;
      });
      const last = key.slice(-1);
      if (byte !== 0 && last !== "A") uses.set(last, (uses.get(last) ?? 0) + 1);
    }
    expect(uses.size).toBe(61);
    expect(new Set(uses.values())).toEqual(new Set([4]));
  });
});

describe("isApiKeyShaped", () => {
  it.each([
    "",
    "sk_",
    "sk_short",
    `sk_${"a".repeat(30)}`,
    `pk_${"a".repeat(29)}`,
    `sk_${"a".repeat(28)}-`,
    `sk_${"a".repeat(29)}\n`,
  ])("rejects %j", (text) => {
    expect(isApiKeyShaped(text)).toBe(false);
  });
});
