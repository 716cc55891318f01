import { crc32 } from "node:zlib";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { afterBeginning } from "../../../processor/download/repeated-beginning.ts";
import { SourceChanged } from "../../../processor/network/network-failure.ts";

async function* inChunks(content: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (const size of sizes) {
    yield content.subarray(at, at + size);
    at += size;
  }
  yield content.subarray(at);
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

const contents = fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes));
const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 8 });

test("what follows the beginning is yielded, however the file is chunked", async () => {
  await fc.assert(
    fc.asyncProperty(contents, sizes, fc.nat(300), async (content, chunkSizes, cut) => {
      const bytes = Math.min(cut, content.length);
      const beginning = { bytes, checksum: crc32(content.subarray(0, bytes)) };
      const rest = await collect(afterBeginning(inChunks(content, chunkSizes), beginning, () => {}));
      expect(rest.equals(content.subarray(bytes))).toBe(true);
    }),
  );
});

test("nothing is yielded after a different beginning", async () => {
  await fc.assert(
    fc.asyncProperty(contents, sizes, fc.nat(299), async (content, chunkSizes, changed) => {
      const other = Buffer.from(content);
      const index = changed % content.length;
      other[index] = (content[index] ?? 0) ^ 1;
      const beginning = { bytes: content.length, checksum: crc32(content) };
      const reading = collect(afterBeginning(inChunks(other, chunkSizes), beginning, () => {}));
      await expect(reading).rejects.toBeInstanceOf(SourceChanged);
    }),
  );
});
