/** A part of a format's bytes that is a resource of its own, or a range of one. */
export interface Segment {
  readonly url: string;
  /** Null: the whole resource. */
  readonly range: { readonly start: number; readonly end: number } | null;
  /** AES-128 in CBC mode; null: not encrypted. */
  readonly encryption: SegmentEncryption | null;
  /** Null for anything but a resource of its own in a playlist: it may begin and end within a packet, box or frame. */
  readonly listed: ListedPart | null;
}

/** What a playlist says about a segment. */
export interface ListedPart {
  readonly seconds: number;
  /** It continues the stream of the one before it. */
  readonly isContinued: boolean;
}

export interface SegmentEncryption {
  readonly keyUrl: string;
  /** 16 bytes. */
  readonly initializationVector: Buffer;
}
