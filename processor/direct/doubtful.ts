/** A stream turned out not to be what its beginning promised, or not surely: a decoder has to judge. */
export class Doubtful extends Error {
  override readonly name = "Doubtful";
}
