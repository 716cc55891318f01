import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ShowLine, showLineMaxBytes } from "../../../contracts/show.ts";
import { showLines } from "../../../edge/shows/show-lines.ts";

/** The lines of a text that arrives in chunks of these sizes, repeated as needed. */
async function read(text: string, sizes: readonly number[] = [1000]): Promise<ShowLine[]> {
  const bytes = new TextEncoder().encode(text);
  const chunks: Uint8Array[] = [];
  for (let start = 0, n = 0; start < bytes.length; n += 1) {
    const size = sizes[n % sizes.length] ?? 1;
    chunks.push(bytes.slice(start, start + size));
    start += size;
  }
  const lines: ShowLine[] = [];
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  for await (const line of showLines(body)) lines.push(line);
  return lines;
}

describe("the lines of a node's response", () => {
  const line = fc.record({
    kind: fc.constant("episode" as const),
    url: fc.webUrl(),
    title: fc.option(fc.string({ unit: "grapheme", maxLength: 100 })),
  });

  it("are read in whatever chunks they arrive", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }),
        async (lines, sizes) => {
          const text = lines.map((one) => `${JSON.stringify(one)}\n`).join("");
          expect(await read(text, sizes)).toEqual(lines);
        },
      ),
    );
  });

  it.each([
    ["is not JSON", "{\n"],
    ["has an unknown kind", '{"kind":"other"}\n'],
    ["is empty", "\n"],
    ["is too long", `{"kind":"is_show"${" ".repeat(showLineMaxBytes)}}\n`],
    ["is too long and never ends", " ".repeat(showLineMaxBytes + 1000)],
  ])("are rejected if one %s", async (_name, text) => {
    await expect(read(text)).rejects.toThrow();
  });

  it("do not include a last line without an end", async () => {
    expect(await read('{"kind":"is_show"}\n{"kind":"not_a_show"}')).toEqual([{ kind: "is_show" }]);
  });

  it("are not read further than requested", async () => {
    let pulled = 0;
    let dropped = false;
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          pulled += 1;
          controller.enqueue(new TextEncoder().encode('{"kind":"is_show"}\n'));
        },
        cancel: () => {
          dropped = true;
        },
      },
      { highWaterMark: 0 },
    );
    const lines = showLines(body);
    await lines.next();
    await lines.return();
    expect([pulled, dropped]).toEqual([1, true]);
  });
});
