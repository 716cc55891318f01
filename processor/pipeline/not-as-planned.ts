/** What was made while the source was arriving is not what has to be made from all of it. */
export class NotAsPlanned extends Error {
  override readonly name = "NotAsPlanned";
}
