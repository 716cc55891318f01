/** A part of a format's bytes that is a resource of its own, or a range of one. */
export interface Segment {
  readonly url: string;
  /** Null: the whole resource. */
  readonly range: { readonly start: number; readonly end: number } | null;
  /** AES-128 in CBC mode; null: not encrypted. */
  readonly encryption: SegmentEncryption | null;
}

export interface SegmentEncryption {
  readonly keyUrl: string;
  /** 16 bytes. */
  readonly initializationVector: Buffer;
}
