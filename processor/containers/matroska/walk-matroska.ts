import { crc32 } from "node:zlib";
import { ebmlIds, takeElement, type EbmlElement } from "./ebml.ts";
import { durationProblem } from "../../verify/expected-duration.ts";
import { walkBlock } from "./matroska-block.ts";
import { isNonMedia, type MatroskaHead, type MatroskaTrack } from "./matroska-head.ts";
import { createSampleTally, type SampleTally, type Verdict } from "../sample-tally.ts";
import { leaveOut, takeExactly, watched, type ByteWalk } from "../walk-bytes.ts";

/**
 * Walks a Matroska or WebM file element by element, and its clusters block by block. It is right if the elements tile
 * the segment and the segment the stream, each cluster's checksum, if any, matches, the clusters' times rise to the
 * promised end, and each block looks like what its track contains. `head` is what the stream has to begin with.
 */
export function* walkMatroska(head: MatroskaHead): ByteWalk<Verdict> {
  if (!(yield* takeExactly(head.bytes))) return "unsure";
  const verdict = yield* walkSegment(head);
  // The elements do not tile: whether anything follows distinguishes a damaged stream from a truncated one.
  return verdict ?? ((yield 1).length === 0 ? "unsure" : "damaged");
}

/** From the first cluster on. Null if elements do not tile it. */
function* walkSegment(head: MatroskaHead): ByteWalk<Verdict | null> {
  const tally = createSampleTally<MatroskaTrack>();
  let clusterTick = 0;
  let lastTick = 0;
  for (let position = head.bytes.length; position < head.segmentEnd;) {
    const element = yield* takeElement();
    if (element === null) return null;
    if (element.bytes === null) return "unsure";
    position += element.headerBytes + element.bytes;
    if (position > head.segmentEnd) return null;
    if (element.id !== ebmlIds.cluster) {
      if (!isNonMedia(element.id)) return element.id === ebmlIds.attachments ? "unsure" : null;
      if (!(yield* leaveOut(element.bytes))) return null;
      continue;
    }
    const cluster = yield* walkCluster(element.bytes, head, tally);
    if (cluster === null || cluster === "damaged" || cluster === "unsure") return cluster;
    if (cluster.tick < clusterTick) return "unsure";
    clusterTick = cluster.tick;
    lastTick = Math.max(lastTick, cluster.lastTick);
  }
  if ((yield 1).length > 0) return "unsure";
  const promised = { least: head.seconds, most: head.seconds };
  return durationProblem(lastTick * head.secondsPerTick, promised) === null ? tally.verdict() : "unsure";
}

interface ClusterTimes {
  /** Its own time, to which those of its blocks are relative. */
  readonly tick: number;
  readonly lastTick: number;
}

type Tally = SampleTally<MatroskaTrack>;
/** Null if the elements do not tile it, or the stream ends. */
type ClusterWalk = ByteWalk<ClusterTimes | "damaged" | "unsure" | null>;

const sumBytes = 4;

/** If a cluster's first element is a checksum, it has to match. */
function* walkCluster(bytes: number, head: MatroskaHead, tally: Tally): ClusterWalk {
  const first = yield* takeElement();
  if (first?.id !== ebmlIds.crc32) return yield* walkContent(bytes, first, head, tally);
  if (first.bytes !== sumBytes) return null;
  const stored = yield sumBytes;
  if (stored.length < sumBytes) return null;
  let sum = 0;
  const content = walkSummed(bytes - first.headerBytes - sumBytes, head, tally);
  const found = yield* watched(content, (piece) => {
    sum = crc32(piece, sum);
  });
  return found === null || sum === stored.readUInt32LE() ? found : "damaged";
}

function* walkSummed(bytes: number, head: MatroskaHead, tally: Tally): ClusterWalk {
  return yield* walkContent(bytes, yield* takeElement(), head, tally);
}

const ids = {
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
  encryptedBlock: 0xaf,
} as const;
/** Other elements of a cluster and its groups, by RFC 9559. */
const othersInCluster: ReadonlySet<number> = new Set<number>([
  ebmlIds.void,
  ebmlIds.crc32,
  // SilentTracks, Position, PrevSize.
  0x5854,
  0xa7,
  0xab,
  // BlockDuration, ReferenceBlock, ReferencePriority, ReferenceVirtual, CodecState, DiscardPadding, BlockVirtual.
  0x9b,
  0xfb,
  0xfa,
  0xfd,
  0xa4,
  0x75a2,
  0xa2,
  // BlockAdditions, Slices, ReferenceFrame.
  0x75a1,
  0x8e,
  0xc8,
]);

/** Walks `bytes` bytes of elements, of which `first` is the header of the first one. */
function* walkContent(
  bytes: number,
  first: EbmlElement | null,
  { tracks }: MatroskaHead,
  tally: Tally,
): ClusterWalk {
  let left = bytes;
  let tick: number | null = null;
  let lastTick = 0;
  for (let element = first; ; element = yield* takeElement()) {
    if (element === null) return null;
    if (element.bytes === null || element.id === ids.encryptedBlock) return "unsure";
    // The content of a group is walked as if it were in the cluster itself.
    left -= element.headerBytes + (element.id === ids.blockGroup ? 0 : element.bytes);
    if (left < 0) return null;
    if (element.id === ids.timestamp) {
      const number = yield element.bytes;
      if (number.length < element.bytes || element.bytes === 0 || element.bytes > 6) return null;
      tick = number.readUIntBE(0, element.bytes);
      lastTick = tick;
    } else if (element.id === ids.simpleBlock || element.id === ids.block) {
      const block = yield* walkBlock(element.bytes, tracks, tally);
      if (block === null || tick === null) return null;
      lastTick = Math.max(lastTick, tick + block.relativeTick);
    } else if (element.id !== ids.blockGroup) {
      if (!othersInCluster.has(element.id) || !(yield* leaveOut(element.bytes))) return null;
    }
    if (left === 0) return tick === null ? null : { tick, lastTick };
  }
}
