import type { AddressPolicy } from "../../contracts/address-rules.ts";
import type { Log } from "../log.ts";
import type { Network } from "../network/network.ts";
import type { Downloader } from "../source/downloader.ts";
import type { LeastPace } from "./pace.ts";
import type { Turns } from "./turns.ts";

/** What shows are read with, the same for all. */
export interface ShowTools {
  readonly network: Network;
  readonly policy: AddressPolicy;
  readonly downloader: Downloader;
  /** Listings get a folder of their own within it. */
  readonly workFolder: string;
  /** The lookup that says where the feed of an Apple Podcasts page is. */
  readonly appleLookupUrl: string;
  /** Shows are read in turn; whether an address is one is found out without. */
  readonly turns: Turns;
  /** A feed that comes more slowly loses its turn to those who wait. */
  readonly leastPace: LeastPace;
}

/** What one show is read with. */
export interface ShowContext extends ShowTools {
  readonly signal: AbortSignal;
  /** So long a source may say nothing. */
  readonly silenceMs: number;
  readonly log: Log;
}
