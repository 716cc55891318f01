/** Strokes on a grid of 20 by 20. */
const paths = {
  plus: "M10 4v12M4 10h12",
  sun: "M10 6.500a3.500 3.500 0 1 0 0 7a3.500 3.500 0 1 0 0-7zM10 1.500v2M10 16.500v2M1.500 10h2M16.500 10h2M4 4l1.400 1.400M14.600 14.600L16 16M4 16l1.400-1.400M14.600 5.400L16 4",
  moon: "M16.500 11.800A7 7 0 1 1 8.200 3.500a5.600 5.600 0 0 0 8.300 8.300z",
  download: "M10 3v9.500M6 9l4 4 4-4M4 16.500h12",
  copy: "M7.500 7.500h8v9h-8zM12.500 7.500v-4h-8v9h3",
  retry: "M15.800 8A6.200 6.200 0 1 0 16 12M16 3.500V8h-4.500",
  stop: "M5 5l10 10M15 5L5 15",
  trash: "M4 6h12M8 6V4h4v2M6 6l.700 10.500h6.600L14 6",
  search: "M9 3.500a5.500 5.500 0 1 0 0 11a5.500 5.500 0 1 0 0-11zM13 13l4 4",
  back: "M12 4.500L6.500 10l5.500 5.500",
  forward: "M8 4.500L13.500 10L8 15.500",
  external: "M8 5H4.500v10.500H15V12M11 4.500h4.500V9M15.500 4.500L9 11",
  check: "M4.500 10.500l3.700 3.700 7.300-8",
} as const;

export type IconName = keyof typeof paths;

/** A decorative icon next to text, hidden from screen readers. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="16" height="16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
