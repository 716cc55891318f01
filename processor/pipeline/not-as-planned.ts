/** What was made while the source came is not what has to be made of all of it. */
export class NotAsPlanned extends Error {
  override readonly name = "NotAsPlanned";
}
