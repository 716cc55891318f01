import type { SniffedContainer } from "../source/sniff-container.ts";
import type { DirectKind } from "./direct-kind.ts";
import { directFlac } from "./direct-flac.ts";
import { directMatroska } from "./direct-matroska.ts";
import { directMp3 } from "./direct-mp3.ts";
import { directMp4 } from "./direct-mp4.ts";
import { directOgg } from "./direct-ogg.ts";
import { directWav } from "./direct-wav.ts";

/** The kinds of file that can be checked while they pass. */
export const directKinds: Readonly<Partial<Record<SniffedContainer, DirectKind>>> = {
  mov: directMp4,
  matroska: directMatroska,
  mp3: directMp3,
  ogg: directOgg,
  flac: directFlac,
  wav: directWav,
};
