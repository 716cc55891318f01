/** How what a track holds can be told from noise without decoding it. */
export type SampleCheck =
  | { readonly kind: "nal"; readonly lengthBytes: number }
  | { readonly kind: "aac" | "mp3" | "opus" | "vorbis" | "vp8" | "vp9" | "av1" };

/** By what describes pictures of h264. Null where it does not agree with itself: then only a decoder can tell. */
export function avcCheck(avcC: Buffer | null): SampleCheck | null {
  const [version, profile, , level, , count = 0, , , unit = 0, itsProfile, , itsLevel] = avcC ?? [];
  const describes = (count & 31) > 0 && (unit & 31) === 7 && profile === itsProfile && level === itsLevel;
  return version === 1 && describes ? nalCheck(avcC, 4) : null;
}

/** By what describes pictures of h265. */
export function hevcCheck(hvcC: Buffer | null): SampleCheck | null {
  return nalCheck(hvcC, 21);
}

function nalCheck(configuration: Buffer | null, lengthOffset: number): SampleCheck | null {
  const flags = configuration?.[lengthOffset];
  return flags === undefined ? null : { kind: "nal", lengthBytes: (flags & 3) + 1 };
}
