import type { JobLink } from "./job.ts";
import { advance, progressOf, startOfProgress, type ProgressNews } from "./progress.ts";

/** Collects the stages' progress and reports the job's progress to the edge. */
export interface ProgressMeter {
  /** Bytes of one of the downloaded files; `total` is null if unknown. Both may fall. */
  fetched(file: string, received: number, total: number | null): void;
  /** All files have arrived. */
  fetchedAll(): void;
  /** Whether the file has to be made; assumed until told otherwise. */
  hasMux(has: boolean): void;
  muxed(share: number): void;
  /** No byte of the file is in storage yet, or any more. */
  uploadBegins(): void;
  /** This many more bytes have arrived in storage, of `fileBytes` if that is known. */
  uploaded(bytes: number, fileBytes: number | null): void;
  /** The file is in storage. */
  uploadedAll(): void;
}

/** `now` is a clock in milliseconds. */
export function createProgressMeter(link: Pick<JobLink, "progressMade">, now: () => number): ProgressMeter {
  const files = new Map<string, { readonly received: number; readonly total: number | null }>();
  let state = startOfProgress(now());
  let arrived = 0;

  function tell(news: ProgressNews): void {
    state = advance(state, news, now());
    link.progressMade(progressOf(state, now()));
  }

  return {
    fetched(file, received, total) {
      files.set(file, { received, total });
      const all = [...files.values()];
      const bytesDownloaded = sum(all.map((one) => one.received));
      const totals = all.map((one) => one.total);
      const bytesTotal = totals.includes(null) ? null : sum(totals.map((one) => one ?? 0));
      tell({
        bytesDownloaded,
        bytesTotal,
        shares: bytesTotal ? { download: bytesDownloaded / bytesTotal } : {},
      });
    },
    fetchedAll: () => tell({ shares: { download: 1 } }),
    hasMux: (has) => tell({ hasMux: has }),
    muxed: (share) => tell({ shares: { mux: share } }),
    uploadBegins() {
      arrived = 0;
    },
    uploaded(bytes, fileBytes) {
      arrived += bytes;
      tell({ bytesUploaded: arrived, shares: fileBytes ? { upload: arrived / fileBytes } : {} });
    },
    uploadedAll: () => tell({ shares: { upload: 1 } }),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
