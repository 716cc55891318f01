import { open } from "node:fs/promises";
import { readFrom, walkWhole } from "../follow-file.ts";
import type { ByteWalk } from "../walk-bytes.ts";
import { takePage } from "./ogg-page.ts";

/** Whether streams follow each other in an Ogg file, as in a recording of a radio station. */
export async function isChained(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    return await walkWhole(walkToSecond(), (offset, bytes) => readFrom(file, offset, bytes));
  } finally {
    await file.close();
  }
}

/** Streams that are played together all begin before any of them continues. */
function* walkToSecond(): ByteWalk<boolean> {
  for (let hasContinued = false; ;) {
    const page = yield* takePage();
    if (page === null || page === "end") return false;
    if (page.isFirst && hasContinued) return true;
    hasContinued ||= !page.isFirst;
  }
}
