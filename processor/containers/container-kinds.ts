import type { SniffedContainer } from "../source/sniff-container.ts";
import type { ContainerKind } from "./container-kind.ts";
import { flacKind } from "./flac/flac-kind.ts";
import { matroskaKind } from "./matroska/matroska-kind.ts";
import { mp3Kind } from "./mp3/mp3-kind.ts";
import { mp4Kind } from "./mp4/mp4-kind.ts";
import { oggKind } from "./ogg/ogg-kind.ts";
import { wavKind } from "./wav/wav-kind.ts";

/** The kinds of file that can be checked while they pass. */
export const containerKinds: Readonly<Partial<Record<SniffedContainer, ContainerKind>>> = {
  mov: mp4Kind,
  matroska: matroskaKind,
  mp3: mp3Kind,
  ogg: oggKind,
  flac: flacKind,
  wav: wavKind,
};
