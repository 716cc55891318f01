import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CannotDecrypt, decrypt, encrypt } from "../../../edge/encryption/encrypt.ts";
import { encryptionKeySchema } from "../../../edge/encryption/encryption-key.ts";

const newKey = () => crypto.getRandomValues(new Uint8Array(32));
const key = newKey();
const context = ["storage", "account", "https://storage.example"];
const wellFormed = fc.string({ unit: "binary" });

describe("encryption", () => {
  it("decrypts what it encrypted, and reveals nothing of it", async () => {
    await fc.assert(
      fc.asyncProperty(wellFormed, fc.array(wellFormed), async (text, words) => {
        const encrypted = await encrypt([key], text, words);
        expect(encrypted).toMatch(/^v1\.[0-9a-f]{8}\.[A-Za-z0-9+/]{16}\.[A-Za-z0-9+/]+=*$/);
        expect(await decrypt([newKey(), key], encrypted, words)).toBe(text);
      }),
    );
  });

  it("never gives the same result twice", async () => {
    expect(await encrypt([key], "a", context)).not.toBe(await encrypt([key], "a", context));
  });

  it("still decrypts with the previous key, and encrypts with the newest", async () => {
    const former = newKey();
    const [old, current] = [
      await encrypt([former], "a", context),
      await encrypt([key, former], "b", context),
    ];
    expect(await decrypt([key, former], old, context)).toBe("a");
    expect(await decrypt([key], current, context)).toBe("b");
  });

  it("rejects a text moved to another place", async () => {
    const encrypted = await encrypt([key], "secret", context);
    for (const other of [[], ["storage", "other", "https://storage.example"], [context.join()]]) {
      await expect(decrypt([key], encrypted, other)).rejects.toThrow(CannotDecrypt);
    }
  });

  it("rejects a text with any character changed or removed", async () => {
    // A length for which base64 has no spare bits, whose change would have no effect.
    const encrypted = await encrypt([key], "8 bytes!", context);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(encrypted.length - 1),
        fc.constantFrom("", "A", "9", ".", "=="),
        async (at, put) => {
          const changed = encrypted.slice(0, at) + put + encrypted.slice(at + 1);
          fc.pre(changed !== encrypted);
          await expect(decrypt([key], changed, context)).rejects.toThrow(CannotDecrypt);
        },
      ),
    );
  });

  it("rejects a text whose key is missing, and reveals neither", async () => {
    const encrypted = await encrypt([newKey()], "secret", context);
    await expect(decrypt([key], encrypted, context)).rejects.toThrow(
      "The key of the encrypted text is not among the deployment's",
    );
  });
});

describe("a key in the environment", () => {
  it("is 32 bytes in base64", () => {
    expect(encryptionKeySchema.parse(btoa("k".repeat(32)))).toHaveLength(32);
  });

  it.each(["", "secret", btoa("k".repeat(31)), btoa("k".repeat(33)), "*".repeat(44)])(
    "%j is invalid, which is reported without quoting it",
    (text) => {
      const { error } = encryptionKeySchema.safeParse(text);
      expect(error?.issues.map(({ message }) => message)).toEqual(["must be 32 bytes in base64"]);
    },
  );
});
