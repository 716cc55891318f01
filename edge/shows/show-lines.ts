import { type ShowLine, showLineMaxBytes, showLineSchema } from "../../contracts/show.ts";

/**
 * The lines of a node's response, one at a time: nothing is read before it is asked for, and the rest is dropped when
 * nobody asks any more. Throws on a line that is too long or not understood. Text after the last line break is not a
 * line.
 */
export async function* showLines(body: ReadableStream<Uint8Array>): AsyncGenerator<ShowLine, void> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  let rest = "";
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield readLine(line);
    if (rest.length > showLineMaxBytes) throw new Error("A line of a show is too long");
  }
}

function readLine(line: string): ShowLine {
  if (line.length > showLineMaxBytes) throw new Error("A line of a show is too long");
  return showLineSchema.parse(JSON.parse(line));
}
