/** Sizes, times and counts that both sides respect. Every name carries its unit. */

const kib = 1024;
const mib = 1024 * kib;
const gib = 1024 * mib;
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Limits an operator may set per deployment; these are the values without configuration. */
export const defaultLimits = {
  requestBodyBytes: mib,
  sourceFileBytes: 50 * gib,
  jobTimeMs: 6 * hour,
  sourceSilenceMs: minute,
  /** So long a node looks at an address before it says whether that is a show … */
  showLookMs: 10 * second,
  /** … and so long, from then on, it may take to name every episode. */
  showExtractionMs: 2 * minute,
  /** Of all pages of a show's feed together, unpacked. */
  feedBytes: 50 * mib,
  /** A container whose node has had nothing to do for so long is let go to sleep. */
  containerIdleMs: 5 * minute,
} as const;

export const urlMaxCharacters = 2048;
/** A medium's title is cut to so many code points where it comes in. */
export const titleMaxCharacters = 500;
export const folderMaxCharacters = 200;
export const fileNameMaxBytes = 180;
export const storageKeyMaxBytes = 1024;
/** Room in a storage key for `<account id>/<job id>/` of managed storage. */
export const managedPrefixBytes = 2 * 37;

export const presignedUrlSeconds = 24 * 60 * 60;
/** A key whose file is gone is not given out again for this long, so that no late writer meets a new owner. */
export const freedKeyRestMs = hour;

export const heartbeatIntervalMs = second;
/** A node silent for this long is given no further job … */
export const nodeQuietAfterMs = 5 * second;
/** … and for this long is lost, and its jobs go to others. */
export const nodeLostAfterMs = 15 * second;
/** A node that has heard no 2xx from the edge for this long sends nothing more to storage. */
export const nodeIsolatedAfterMs = 10 * second;
/** Nodes heard of within this window are counted in the cluster statistics. */
export const clusterWindowMs = 30 * second;
/** Slots promised to one dispatcher return to the node's free ones after this long. */
export const grantLifetimeMs = 5 * second;
export const sweepIntervalMs = 5 * second;
/** A job is missed on a live node only when it was claimed longer ago than this … */
export const missingAfterMs = 10 * second;
/** … and absent from this many heartbeats in a row. */
export const missingAfterHeartbeats = 3;
/** A job whose workers were lost this often is failed. */
export const interruptionsMax = 3;

/** A signature between edge and node is accepted within this distance of the receiver's clock. */
export const signatureWindowMs = 5 * minute;
