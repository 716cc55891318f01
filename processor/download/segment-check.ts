import { hasLostEnd, type ListedEdges } from "../containers/mpegts/lost-end.ts";
import { createTransportScan, type TransportEdges } from "../containers/mpegts/transport-scan.ts";
import { walkToCutBox } from "../containers/mp4/walk-to-cut-box.ts";
import { walkToCutFrame } from "../containers/walk-to-cut-frame.ts";
import { createWalker } from "../containers/walk-bytes.ts";
import { JobFailure } from "../pipeline/job.ts";
import { PieceCut } from "./piece.ts";
import type { ListedPart } from "./segment.ts";

/** Looks at the bytes of one segment. */
export interface SegmentCheck {
  /** False: it cannot turn out to be truncated. */
  readonly isListed: boolean;
  take(bytes: Buffer): void;
  /** What was taken so far is media beyond doubt. */
  isMedia(): boolean;
  /**
   * Call when the segment is over. Throws PieceCut if its last packet, box or frame is truncated, and source_error if the
   * previous segment turns out to lack its end: a server may have stored a segment incompletely, and send that as the
   * whole.
   */
  end(): void;
}

/** Checks the segments of a format, which have to end in their order. */
export function createSegmentChecks(): { open(listed: ListedPart | null): SegmentCheck } {
  let first: TransportEdges | null = null;
  /** A recording of a disturbed broadcast lacks packets anywhere: that some are missing between segments tells nothing. */
  let isDisturbed = false;
  let previous: ListedEdges | null = null;

  return {
    open(listed) {
      const scan = createTransportScan();
      const walkers = [createWalker(walkToCutBox()), createWalker(walkToCutFrame())];
      return {
        isListed: listed !== null,
        take(bytes) {
          if (listed === null) return;
          scan.take(bytes);
          for (const walker of walkers) walker.take(bytes);
        },
        isMedia: () => scan.edges() !== null,
        end() {
          const edges = listed && scan.edges();
          const isCut = edges?.isCut === true || walkers.some((walker) => walker.end());
          if (isCut) throw new PieceCut("a segment is truncated");
          first ??= edges;
          isDisturbed ||= edges?.hasGaps === true;
          const isContinued = listed?.isContinued === true && !isDisturbed;
          if (first && previous && edges && isContinued && hasLostEnd(previous, edges, first))
            throw new JobFailure("source_error", "a segment is truncated");
          previous = listed && edges && { edges, seconds: listed.seconds };
        },
      };
    },
  };
}
