/** A stream is not, or not with certainty, what its beginning promised: a decoder has to judge. */
export class Doubtful extends Error {
  override readonly name = "Doubtful";
}
