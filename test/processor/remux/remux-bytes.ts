import { expect } from "vitest";
import { indexBytes, planRemux, type RemuxPlan } from "../../../processor/remux/plan-remux.ts";
import { remuxStreams } from "../../../processor/remux/remux-streams.ts";
import { verifyRemuxed } from "../../../processor/remux/verify-remuxed.ts";
import { writeHead } from "../../../processor/remux/write-head.ts";
import { options } from "../mux/sample-media.ts";

/** The beginning that the pipeline reads before it plans. */
export function headOf(stream: Buffer): Buffer {
  for (let bytes = 0; ;) {
    const wanted = indexBytes(stream.subarray(0, bytes));
    if (wanted === null || wanted <= bytes || bytes >= stream.length) return stream.subarray(0, bytes);
    bytes = wanted;
  }
}

/** The plan for these streams, which has to exist. */
export async function planned(streams: readonly Buffer[], sourceSeconds: number): Promise<RemuxPlan> {
  const plan = await planRemux(streams.map(headOf), options(), sourceSeconds);
  if (plan === null) throw new Error("there is no plan");
  return plan;
}

export async function* inPieces(stream: Buffer, bytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < stream.length; at += bytes) yield stream.subarray(at, at + bytes);
}

/** The file that the node makes of these streams, after its own checks. */
export async function remux(streams: readonly Buffer[], plan: RemuxPlan, pieceBytes = 5000): Promise<Buffer> {
  const remuxing = remuxStreams(
    streams.map((stream) => inPieces(stream, pieceBytes)),
    plan,
  );
  const media: Buffer[] = [];
  for await (const chunk of remuxing.chunks) media.push(chunk);
  const finished = remuxing.finish();
  const head = writeHead(plan, finished);
  const file = Buffer.concat([head, ...media]);
  const facts = await verifyRemuxed(head, plan, { finished, listedSeconds: [] });
  expect(facts.file_size).toBe(file.length);
  return file;
}
