/** How a track's samples can be told from noise without decoding them. */
export type SampleCheck =
  | { readonly kind: "h264" | "h265"; readonly lengthBytes: number }
  | { readonly kind: "aac" | "mp3" | "opus" | "vorbis" | "vp8" | "vp9" | "av1" };

/** From the configuration of an h264 track. Null if it contradicts itself: then only a decoder can tell. */
export function avcCheck(avcC: Buffer | null): SampleCheck | null {
  const [version, profile, , level, , count = 0, , , unit = 0, itsProfile, , itsLevel] = avcC ?? [];
  const describes = (count & 31) > 0 && (unit & 31) === 7 && profile === itsProfile && level === itsLevel;
  return version === 1 && describes ? nalCheck("h264", avcC, 4) : null;
}

/** From the configuration of an h265 track. */
export function hevcCheck(hvcC: Buffer | null): SampleCheck | null {
  return nalCheck("h265", hvcC, 21);
}

function nalCheck(
  kind: "h264" | "h265",
  configuration: Buffer | null,
  lengthOffset: number,
): SampleCheck | null {
  const flags = configuration?.[lengthOffset];
  return flags === undefined ? null : { kind, lengthBytes: (flags & 3) + 1 };
}
