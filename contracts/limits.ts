/** Sizes, times and counts that both sides agree on. Every name includes its unit. */

const kib = 1024;
const mib = 1024 * kib;
const gib = 1024 * mib;
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Limits an operator may set per deployment; these are the defaults. */
export const defaultLimits = {
  requestBodyBytes: mib,
  sourceFileBytes: 50 * gib,
  jobTimeMs: 6 * hour,
  sourceSilenceMs: minute,
  /** How long a node may take to find out whether an address is a show … */
  showLookMs: 10 * second,
  /** … and how long, from then on, to list every episode. */
  showExtractionMs: 2 * minute,
  /** All pages of a show's feed together, uncompressed. */
  feedBytes: 50 * mib,
  /** A container whose node has been idle for this long is put to sleep. */
  containerIdleMs: 5 * minute,
} as const;

export const urlMaxCharacters = 2048;
/** Titles of media are cut to this many code points when they are first read. */
export const titleMaxCharacters = 500;
export const folderMaxCharacters = 200;
export const fileNameMaxBytes = 180;
export const storageKeyMaxBytes = 1024;
/** Room in a storage key for the prefix `<account id>/<job id>/` of managed storage. */
export const managedPrefixBytes = 2 * 37;

export const presignedUrlSeconds = 24 * 60 * 60;
/** The key of a deleted file is not reused for this long, so that no late writer meets a new owner. */
export const freedKeyRestMs = hour;

export const heartbeatIntervalMs = second;
/** A node silent for this long is given no further job … */
export const nodeQuietAfterMs = 3 * second;
/** … and for this long is lost, and its jobs go to others. */
export const nodeLostAfterMs = 15 * second;
/** A node that has had no 2xx from the edge for this long sends nothing more to storage. */
export const nodeIsolatedAfterMs = 10 * second;
/** Nodes heard from within this window are counted in the cluster statistics. */
export const clusterWindowMs = 30 * second;
/** Slots reserved for one dispatcher become free again after this long. */
export const grantLifetimeMs = 5 * second;
export const sweepIntervalMs = 5 * second;
/** A job counts as missing on a live node only if it was claimed longer ago than this … */
export const missingAfterMs = 10 * second;
/** … and is absent from this many consecutive heartbeats. */
export const missingAfterHeartbeats = 3;
/** A job that lost this many workers fails. */
export const interruptionsMax = 3;

/** A signature between edge and node is accepted if its time is within this distance of the receiver's clock. */
export const signatureWindowMs = 5 * minute;
