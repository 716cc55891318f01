import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { SourceTooSlow } from "../../../processor/network/source-pace.ts";
import { peekUntil } from "../../../processor/source/peek.ts";

/** A stream of this many bytes a second, by its own clock. */
function streamOf(bytesPerSecond: number): { stream: Readable; now: () => number } {
  let ms = 0;
  async function* seconds(): AsyncGenerator<Buffer> {
    for (;;) {
      ms += 1000;
      yield Buffer.alloc(bytesPerSecond);
    }
  }
  return { stream: Readable.from(seconds()), now: () => ms };
}

const mib = 1024 * 1024;
const isManifest = (length: number) => length >= 16 * mib;

test("a small file that trickles is aborted after minutes, and its connection is closed", async () => {
  const { stream, now } = streamOf(1);
  await expect(peekUntil(stream, isManifest, now)).rejects.toThrow(SourceTooSlow);
  expect(now()).toBeLessThan(20 * 60_000);
  expect(stream.destroyed).toBe(true);
});

test("a slow source is read to the end, however long that takes", async () => {
  const { stream, now } = streamOf(20_000);
  expect((await peekUntil(stream, isManifest, now)).head.length).toBeGreaterThanOrEqual(16 * mib);
  expect(stream.destroyed).toBe(false);
  stream.destroy();
});
