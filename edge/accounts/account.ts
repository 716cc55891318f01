/** Whose request it is, as its key tells. */
export interface Account {
  readonly id: string;
  readonly name: string;
}
