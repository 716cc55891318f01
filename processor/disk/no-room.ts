/** Other jobs hold the disk space this one needs: it goes back to the edge, whose next attempt may find some. */
export class NoRoom extends Error {
  override readonly name = "NoRoom";

  constructor() {
    super("other jobs have the disk that is needed");
  }
}
