/** The account that a request's key belongs to. */
export interface Account {
  readonly id: string;
  readonly name: string;
}
