import { setImmediate as nextTurn } from "node:timers/promises";

/** How long the node's own thread may work on one text before everything else has its turn. */
const turnMaxMs = 20;
/** As much text as takes less than that in its worst shape. */
const pieceCharacters = 4096;

/** A function to await between pieces of work: it resolves at once, or after a turn of the event loop if one is due. */
export function createGiveWay(now = () => performance.now()): () => Promise<void> {
  let since = now();
  return async () => {
    if (now() - since < turnMaxMs) return;
    await nextTurn();
    since = now();
  };
}

/** The text in pieces small enough for the event loop to turn between them. */
export function* inPieces(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += pieceCharacters) yield text.slice(at, at + pieceCharacters);
}
