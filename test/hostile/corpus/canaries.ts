/** Targets of hostile inputs: none of them may be requested, read or changed. */
export interface Canaries {
  /** A web server at a forbidden address that would accept a connection. */
  readonly url: string;
  /** A text file on this machine. */
  readonly text: string;
  /** A media file on this machine, which every program here can play. */
  readonly media: string;
}
