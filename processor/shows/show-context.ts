import type { AddressPolicy } from "../../contracts/address-rules.ts";
import type { Log } from "../log.ts";
import type { Network } from "../network/network.ts";
import type { Downloader } from "../source/downloader.ts";
import type { LeastPace } from "./pace.ts";
import type { Turns } from "./turns.ts";

/** What all shows are read with. */
export interface ShowTools {
  readonly network: Network;
  readonly policy: AddressPolicy;
  readonly downloader: Downloader;
  /** Contains a folder for each listing. */
  readonly workFolder: string;
  /** The lookup for feeds of Apple Podcasts pages. */
  readonly appleLookupUrl: string;
  /** Reading shows takes a turn; finding out whether a URL is one does not. */
  readonly turns: Turns;
  /** A slower feed loses its turn to those who are waiting. */
  readonly leastPace: LeastPace;
}

/** What one show is read with. */
export interface ShowContext extends ShowTools {
  readonly signal: AbortSignal;
  /** How long a source may send nothing. */
  readonly silenceMs: number;
  readonly log: Log;
}
