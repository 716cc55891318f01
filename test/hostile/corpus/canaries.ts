/** What hostile inputs try to reach: none of it may be asked for, read or changed. */
export interface Canaries {
  /** A web server at an address that is never allowed, and that a connection would reach. */
  readonly url: string;
  /** A text file on this machine. */
  readonly text: string;
  /** A media file on this machine, which any program here can play. */
  readonly media: string;
}
